package io.stockproof.verification.rules;

import static io.stockproof.verification.rules.Rule.Means.CAMPAIGN;
import static io.stockproof.verification.rules.Rule.Means.NOT_YET;
import static io.stockproof.verification.rules.Rule.Means.STEPWISE;
import static io.stockproof.verification.rules.Rule.Means.STEPWISE_AND_STRESS;
import static io.stockproof.verification.rules.Rule.Means.STRESS;
import static io.stockproof.verification.rules.Rule.Strength.MUST;
import static io.stockproof.verification.rules.Rule.Strength.SHOULD;

import io.stockproof.verification.Capability;
import org.jspecify.annotations.Nullable;

/**
 * The numbered rules of SPEC.md. R1xx: the stores at every moment; R2xx: the stores at rest; R3xx:
 * what callers are told; R4xx: cost; R5xx: faults; R6xx: windows and input; R7xx: several
 * instances.
 */
public enum Rule {
  R101(
      MUST,
      STEPWISE_AND_STRESS,
      "never more rows than stock",
      "at every committed state, rows ≤ total",
      "A unit that does not exist was promised to someone."),
  R102(
      MUST,
      STEPWISE_AND_STRESS,
      "one row a user",
      "at every committed state, at most one row a user and coupon",
      "One person took what was meant for two."),
  R103(
      MUST,
      STEPWISE_AND_STRESS,
      "counter equals rows",
      "counter = rows at every committed state",
      "A counter that drifts decides wrongly from then on, and hides the damage."),
  R104(
      MUST,
      STEPWISE_AND_STRESS,
      Capability.GATE,
      "gate stock never negative",
      "gate stock is never negative",
      "A unit that is given back to a stock below zero is not for sale again."),
  R105(
      MUST,
      STRESS,
      "coupons do not affect one another",
      "coupons do not affect one another",
      "A sale must not decide who gets something else."),

  R201(
      MUST,
      STEPWISE_AND_STRESS,
      "rows and answers agree",
      "at rest: every ISSUED has its row; the call that wrote a row was told ISSUED or UNKNOWN, or"
          + " was cut off; at most one ISSUED a row",
      "What people were told and what is recorded must be the same."),
  R202(
      MUST,
      STEPWISE_AND_STRESS,
      "no unit leaked",
      "at rest: no unit leaked: fresh users who ask now get every unit that is not a row",
      "A unit nobody has and nobody can get is lost to the sale."),
  R203(
      MUST,
      STEPWISE_AND_STRESS,
      Capability.GATE,
      "gate agrees with rows at rest",
      "at rest: gate stock = total − rows, gate users = row users, no reservation open (sentinels"
          + " aside)",
      "A gate that drifts from the ledger leaks or doubles units later."),
  R204(
      MUST,
      STEPWISE,
      Capability.GATE,
      "compensation exactly once",
      "compensation gives a unit back exactly once, however often and whenever it runs",
      "Twice doubles a unit; never loses it."),
  R205(
      MUST,
      CAMPAIGN,
      Capability.RECOVERY,
      "rest is reached in time",
      "rest is reached within the stated time after the last fault (the core: reservation timeout +"
          + " one reconciler period + 1 s)",
      "Recovery that never ends is none."),
  R206(
      SHOULD,
      STEPWISE_AND_STRESS,
      "sold completely at the first attempt",
      "one attempt each, demand ≥ total: rows = total (nobody is sent away by contention while"
          + " units remain)",
      "First come, first served: who came in time should not go empty-handed."),

  R301(
      MUST,
      STEPWISE_AND_STRESS,
      "ISSUED means durable",
      "ISSUED is told only when the row is durable",
      "A promise made before the commit is broken by a crash."),
  R302(
      MUST,
      STEPWISE_AND_STRESS,
      "a refusal writes nothing",
      "a call that was told a refusal or UNAVAILABLE wrote no row, then or later",
      "Who was refused goes elsewhere; a row in their name is a unit lost."),
  R303(
      MUST,
      STEPWISE_AND_STRESS,
      "SOLD_OUT only when nothing is left",
      "SOLD_OUT only if, at some moment of the call (or within the stated sold-out memory before"
          + " it), the coupon was open and users with a row or others' reservation numbered ≥"
          + " total",
      "A final refusal while units are left sends a buyer away for nothing."),
  R304(
      MUST,
      STEPWISE_AND_STRESS,
      "DUPLICATE only to a holder",
      "DUPLICATE only if the user holds a row at some moment of the call",
      "Who is told to hold a unit stops asking; if the first attempt then fails they have none."),
  R305(
      MUST,
      STEPWISE,
      "UNAVAILABLE leaves nothing behind",
      "UNAVAILABLE leaves nothing behind at rest; the same user may then succeed",
      "It says: ask again. Asking again must be able to help."),
  R306(
      MUST,
      STEPWISE_AND_STRESS,
      "one outcome within the deadline",
      "every request ends in exactly one outcome within its deadline; no raw exception for an"
          + " expected refusal",
      "A caller who hears nothing, or an error for a plain no, does the wrong thing next."),
  R307(
      MUST,
      STEPWISE_AND_STRESS,
      "asking again is harmless",
      "asking again after any outcome never gives a second unit; at rest a holder is told"
          + " DUPLICATE, or SOLD_OUT where R303 allows it, and `holds` (if offered) tells the truth",
      "People press the button again, and clients retry."),
  R308(
      MUST,
      STEPWISE_AND_STRESS,
      "contention is not told as SOLD_OUT",
      "contention is not told as SOLD_OUT",
      "A lost race for a lock or a version says nothing about the stock."),
  R309(
      MUST,
      STEPWISE_AND_STRESS,
      "calm ends in clear answers",
      "without a fault nothing ends UNKNOWN or in an exception",
      "Uncertainty is for faults; under load alone there is none."),
  R310(
      MUST,
      NOT_YET,
      "HTTP statuses say what to do next",
      "over HTTP: final outcomes are 4xx (not retried by well-behaved clients), retryable ones 503"
          + " with Retry-After, never 500",
      "Clients and proxies retry by status, not by text."),

  R401(
      SHOULD,
      STEPWISE,
      Capability.CHEAP_REFUSAL,
      "SOLD_OUT writes nothing to the database",
      "in calm, a SOLD_OUT writes nothing to the database (an UPDATE of 0 rows is a write)",
      "Most requests of a sale are refusals."),
  R402(
      SHOULD,
      STEPWISE,
      Capability.CHEAP_REFUSAL,
      "SOLD_OUT does not touch the database",
      "in calm, a SOLD_OUT does not touch the database at all (no read, no connection)",
      "Most requests of a sale are refusals."),
  R403(
      SHOULD,
      STEPWISE,
      "no connection held while waiting elsewhere",
      "no database connection is held while waiting for anything outside the database (a monitor,"
          + " a Redis lock, another connection)",
      "Held connections are what starves a pool, or locks it up."),
  R404(
      SHOULD,
      NOT_YET,
      "bystanders keep their latency",
      "bystanders on the same pool keep their latency: p95 ≤ 3 × their p95 without the sale",
      "A coupon should not slow the login."),

  R501(
      MUST,
      STEPWISE,
      Capability.RECOVERY,
      "kept through every fault",
      "R1xx hold during every fault; R2xx after it, in the time of R205; issuing resumes within 1 s"
          + " of the fault's end",
      "Faults come while people are buying."),
  R502(
      MUST,
      STEPWISE,
      Capability.GATE,
      "loss of Redis data is harmless",
      "loss of all or part of the Redis data is not oversell, not undersell, not \"sold out\"",
      "Redis may lose what it acknowledged."),
  R503(
      MUST,
      STEPWISE,
      "a crash loses and doubles nothing",
      "a crash between any two commands loses no unit and doubles none",
      "Processes die between any two lines."),
  R504(
      MUST,
      STEPWISE,
      "a stalled holder cannot write",
      "a holder that stalls past the expiry of its lock or reservation, after which another was let"
          + " in, cannot write (fencing)",
      "A lease says when others may enter, not that its holder has stopped."),

  R601(
      MUST,
      STEPWISE,
      Capability.WINDOW,
      "nothing outside the window",
      "nothing is issued outside the window or when closed; that is told as NOT_OPEN",
      "Early and late are not sold out."),
  R602(
      MUST,
      STEPWISE,
      Capability.OPENING,
      "opening again changes nothing",
      "opening again, in parallel or under traffic, changes nothing",
      "Operators press buttons twice, and deployments overlap."),
  R603(
      MUST,
      STEPWISE,
      Capability.INPUT_CHECKS,
      "bad input has no effect",
      "bad input is refused before any effect, with a message that names it",
      "Half a request is worse than none."),

  R701(
      MUST,
      STEPWISE_AND_STRESS,
      Capability.MULTI_INSTANCE,
      "right with several instances",
      "all of the above with two or more instances",
      "What one process keeps to itself, the next one does not know.");

  /** How much a rule weighs. */
  public enum Strength {
    /** Breaking it makes a subject VIOLATED. */
    MUST,
    /** Breaking it is shown; it decides only whether a baseline is AS_EXPECTED. */
    SHOULD
  }

  /** What a rule can be judged by today. */
  public enum Means {
    /** The books after every command of an explored run, and what stress shows for certain. */
    STEPWISE_AND_STRESS,
    /** Explored runs: calm stress need not reach the premise. */
    STEPWISE,
    /** Many threads at once on real instances. */
    STRESS,
    /** Load with faults, in module {@code chaos}: needs the time of the last fault. */
    CAMPAIGN,
    /** Stated, not judged. */
    NOT_YET
  }

  private final Strength strength;
  private final Means means;
  private final @Nullable Capability capability;
  private final String title;
  private final String statement;
  private final String intent;

  Rule(Strength strength, Means means, String title, String statement, String intent) {
    this(strength, means, null, title, statement, intent);
  }

  Rule(
      Strength strength,
      Means means,
      @Nullable Capability capability,
      String title,
      String statement,
      String intent) {
    this.strength = strength;
    this.means = means;
    this.capability = capability;
    this.title = title;
    this.statement = statement;
    this.intent = intent;
  }

  /** For example {@code R101}. */
  public String id() {
    return name();
  }

  /** MUST or SHOULD. */
  public Strength strength() {
    return strength;
  }

  /** What it can be judged by today. */
  public Means means() {
    return means;
  }

  /** Why neither search nor stress judges it; empty if one does. */
  public String skippedBecause() {
    return switch (this) {
      case R205 -> "judged by chaos: needs the time of the last fault";
      case R310 -> "needs a service over HTTP";
      case R404 -> "needs an unrelated query under load, which comparisons will make";
      default -> "";
    };
  }

  /** The capability a subject must claim for the rule to apply; null if it applies to all. */
  public @Nullable Capability capability() {
    return capability;
  }

  /** A few words, for tables. */
  public String title() {
    return title;
  }

  /** The rule. */
  public String statement() {
    return statement;
  }

  /** Why it is there. */
  public String intent() {
    return intent;
  }
}
