package io.stockproof.chaos;

/** Faults of one kind; each has a Maven profile of the same name after {@code chaos-}. */
public enum FaultFamily {
  REDIS_PAUSE("redis-pause", "Redis does not answer for a while, or slowly"),
  REDIS_LOSS("redis-loss", "Redis loses data, or refuses"),
  TTL_EXPIRY("ttl-expiry", "a key of a coupon, or a lock's lease, expires"),
  DB_FAILURE("db-failure", "the database stalls, refuses, fails or restarts"),
  UNKNOWN_OUTCOME("unknown-outcome", "nobody can tell whether a command was executed"),
  CRASH("crash", "the process of an application instance dies"),
  NETWORK("network", "the network between an instance and a server"),
  CLOCK("clock", "the clock of an application instance is off");

  private final String title;
  private final String meaning;

  FaultFamily(String title, String meaning) {
    this.title = title;
    this.meaning = meaning;
  }

  /** Name on the command line: lower case with hyphens. */
  public String title() {
    return title;
  }

  /** What its faults have in common, in one line. */
  public String meaning() {
    return meaning;
  }
}
