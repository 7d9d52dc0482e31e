package io.stockproof.verification.gallery;

import io.lettuce.core.RedisException;
import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.GateKeys;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * A right issuer with a Lua gate in front of the transaction: a reservation carries the token of
 * its request, is confirmed once the row is committed, and is given back exactly once if it
 * certainly never will be. What neither is sure of, and what a crash leaves, is settled by a
 * rebuild from the ledger, which fences off whoever was let in before.
 */
class GateIssuer extends LedgerIssuer {
  static final GateKeys KEYS =
      new GateKeys("coupon:{%d}:stock", "coupon:{%d}:users", "coupon:{%d}:pending", List.of());

  final RedisConnection redis;

  GateIssuer(Endpoints endpoints) {
    this(endpoints.dataSource(), endpoints.redisUri());
  }

  GateIssuer(DataSource dataSource, String redisUri) {
    super(dataSource);
    this.redis = new RedisConnection(redisUri);
  }

  static String[] keys(long couponId) {
    return new String[] {
      "coupon:{" + couponId + "}:stock",
      "coupon:{" + couponId + "}:pending",
      "coupon:{" + couponId + "}:users"
    };
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) throws Exception {
    Ask ask = Ask.of(couponId, userId);
    String answer;
    try {
      answer = acquire(ask);
    } catch (RedisException noAnswer) {
      return gateFailed(ask);
    }
    return switch (answer) {
      case "MISSING" -> missing(ask);
      case "IN_FLIGHT" -> inFlight(ask);
      case "DUPLICATE" -> IssueOutcome.DUPLICATE;
      case "SOLD_OUT" -> soldOut(ask);
      default -> admitted(ask.fencedBy(Long.parseLong(answer)));
    };
  }

  String acquire(Ask ask) {
    return run(GateScripts.ACQUIRE, ask.couponId(), member(ask), ask.token());
  }

  String run(String script, long couponId, String... arguments) {
    return redis.run(script(script), keys(couponId), arguments);
  }

  /** The scripts as they are. */
  String script(String original) {
    return original;
  }

  /** Users are called in the gate as in the ledger. */
  String member(Ask ask) {
    return ask.userId();
  }

  IssueOutcome gateFailed(Ask ask) throws SQLException {
    return IssueOutcome.UNAVAILABLE;
  }

  /** The gate's word is enough. */
  IssueOutcome soldOut(Ask ask) throws SQLException {
    return IssueOutcome.SOLD_OUT;
  }

  IssueOutcome missing(Ask ask) throws SQLException {
    return IssueOutcome.UNAVAILABLE;
  }

  /** Another request of this user is under way. */
  IssueOutcome inFlight(Ask ask) {
    return IssueOutcome.UNAVAILABLE;
  }

  IssueOutcome admitted(Ask ask) throws SQLException {
    return settle(ask, record(ask));
  }

  /** UNKNOWN is left as it is: a rebuild will see whether there is a row. */
  IssueOutcome settle(Ask ask, IssueOutcome told) {
    try {
      switch (told) {
        case ISSUED, DUPLICATE -> confirm(ask);
        case SOLD_OUT, UNAVAILABLE -> release(ask);
        default -> {}
      }
    } catch (RedisException leftToTheRebuild) {
      return told;
    }
    return told;
  }

  void confirm(Ask ask) {
    run(GateScripts.CONFIRM, ask.couponId(), member(ask));
  }

  void release(Ask ask) {
    run(GateScripts.RELEASE, ask.couponId(), member(ask), ask.token());
  }

  /** Not if a rebuild has taken place since it was let in. */
  @Override
  int increase(Connection tx, Ask ask) throws SQLException {
    return Sql.update(
        tx, ADD_ONE + " AND issued < total AND epoch = ?", ask.couponId(), ask.fence());
  }

  @Override
  public void reconcile(long couponId) throws SQLException {
    boolean settled = run(GateScripts.SETTLED, couponId).equals("SETTLED");
    if (!settled || (mendsOldGates() && isOlderThanRows(couponId))) {
      rebuild(couponId);
    }
  }

  /**
   * Whether a gate that is older than the rows is made anew. Mutants do without: it would mend what
   * they break before anybody sees it.
   */
  boolean mendsOldGates() {
    return false;
  }

  private boolean isOlderThanRows(long couponId) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      long[] coupon =
          Sql.numbers(
              connection,
              2,
              "SELECT (SELECT COUNT(*) FROM issued_coupon WHERE coupon_id = c.id), c.total"
                  + " FROM coupon c WHERE c.id = ?",
              couponId);
      String state =
          run(
              GateScripts.AS_OLD_AS_ROWS,
              couponId,
              Long.toString(coupon[0]),
              Long.toString(coupon[1]));
      return state.equals("OLDER");
    }
  }

  @Override
  public void rebuild(long couponId) throws SQLException {
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      // Waits for whoever is about to commit, and keeps out whoever was let in before.
      Sql.update(tx, "UPDATE coupon SET epoch = epoch + 1 WHERE id = ?", couponId);
      long[] coupon = Sql.numbers(tx, 2, "SELECT epoch, total FROM coupon WHERE id = ?", couponId);
      List<String> users = rowsForRebuild(tx, couponId);
      tx.commit();
      List<String> install = new ArrayList<>();
      install.add(Long.toString(coupon[0]));
      install.add(Long.toString(stockForRebuild(coupon[1], users)));
      install.addAll(users);
      run(GateScripts.INSTALL, couponId, install.toArray(String[]::new));
    }
  }

  List<String> rowsForRebuild(Connection tx, long couponId) throws SQLException {
    return Sql.texts(tx, "SELECT user_id FROM issued_coupon WHERE coupon_id = ?", couponId);
  }

  long stockForRebuild(long total, List<String> users) {
    return Math.max(0, total - users.size());
  }

  @Override
  public void close() {
    redis.close();
  }
}
