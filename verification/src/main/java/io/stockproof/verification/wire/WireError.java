package io.stockproof.verification.wire;

/**
 * An error that a server could answer.
 *
 * @param store whose error it is
 * @param code vendor code of a database error; 0 for Redis
 * @param sqlState SQL state of a database error, 5 characters; empty for Redis
 * @param text message; for Redis the whole line after the hyphen, with its code word first
 */
public record WireError(Command.Store store, int code, String sqlState, String text) {

  /** First code of errors that clients raise themselves; no server sends them. */
  private static final int CLIENT_CODES = 2000;

  private static final int CLIENT_CODES_END = 3000;

  private static final int DEADLOCK = 1213;
  private static final int RECORD_CHANGED = 1020;

  /**
   * Checks that a server could send it.
   *
   * @throws IllegalArgumentException if the code is one that only clients raise, such as 2013, or
   *     the SQL state has not 5 characters, or the text spans lines
   */
  public WireError {
    if (store == Command.Store.DATABASE && code >= CLIENT_CODES && code < CLIENT_CODES_END) {
      throw new IllegalArgumentException(
          "error " + code + " is raised by clients, not sent: use cutBefore() or loseReply()");
    }
    if (store == Command.Store.DATABASE && (code < 1 || code > 0xfffe || sqlState.length() != 5)) {
      throw new IllegalArgumentException(
          "a database error needs a code of 1 to 65534 and an SQL state of 5 characters, was "
              + code
              + " and \""
              + sqlState
              + "\"");
    }
    if (text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0) {
      throw new IllegalArgumentException("the text of an error must be one line, was: " + text);
    }
  }

  /** Any error of the database. */
  public static WireError sql(int code, String sqlState, String message) {
    return new WireError(Command.Store.DATABASE, code, sqlState, message);
  }

  /** 1213: the server chose this transaction as the victim and rolled it back. */
  public static WireError deadlock() {
    return sql(
        DEADLOCK, "40001", "Deadlock found when trying to get lock; try restarting transaction");
  }

  /** 1205: this statement waited too long for a lock; its transaction stays open. */
  public static WireError lockWaitTimeout() {
    return sql(1205, "HY000", "Lock wait timeout exceeded; try restarting transaction");
  }

  /** 1020: snapshot isolation of MariaDB; the transaction is rolled back. */
  public static WireError recordChanged() {
    return sql(RECORD_CHANGED, "HY000", "Record has changed since last read in table");
  }

  /** 1040: no connection left. */
  public static WireError tooManyConnections() {
    return sql(1040, "08004", "Too many connections");
  }

  /** 1290: the server became read-only, as a demoted primary is. */
  public static WireError readOnly() {
    return sql(
        1290,
        "HY000",
        "The MySQL server is running with the --read-only option so it cannot execute this"
            + " statement");
  }

  /** Any error of Redis, for example {@code "LOADING Redis is loading the dataset in memory"}. */
  public static WireError redis(String text) {
    return new WireError(Command.Store.REDIS, 0, "", text);
  }

  /** OOM: the server is at its memory limit. */
  public static WireError outOfMemory() {
    return redis("OOM command not allowed when used memory > 'maxmemory'.");
  }

  /** READONLY: the server became a replica. */
  public static WireError readOnlyReplica() {
    return redis("READONLY You can't write against a read only replica.");
  }

  /** LOADING: the server just restarted. */
  public static WireError loading() {
    return redis("LOADING Redis is loading the dataset in memory");
  }

  /** BUSY: another script runs for too long. */
  public static WireError busy() {
    return redis(
        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.");
  }

  /** NOSCRIPT: the server no longer knows the script. */
  public static WireError noScript() {
    return redis("NOSCRIPT No matching script. Please use EVAL.");
  }

  /** TRYAGAIN: the keys are being moved between cluster nodes. */
  public static WireError tryAgain() {
    return redis("TRYAGAIN Multiple keys request during rehashing of slot");
  }

  /** Whether a server that sends it has rolled back the transaction. */
  boolean endsTransaction() {
    return store == Command.Store.DATABASE && (code == DEADLOCK || code == RECORD_CHANGED);
  }
}
