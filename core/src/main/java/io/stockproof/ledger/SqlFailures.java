package io.stockproof.ledger;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/**
 * What the errors of MySQL and MariaDB mean, by vendor code: the classes that drivers choose differ
 * (public case D16).
 */
final class SqlFailures {

  /** ER_DUP_ENTRY. */
  private static final int DUPLICATE_ENTRY = 1062;

  /**
   * ER_LOCK_WAIT_TIMEOUT, ER_LOCK_DEADLOCK, and MariaDB's ER_CHECKREAD (1020), which it gives where
   * a snapshot has gone stale.
   */
  private static final Set<Integer> CONFLICTS = Set.of(1205, 1213, 1020);

  /**
   * ER_SERVER_SHUTDOWN, ER_NEW_ABORTING, ER_CONNECTION_KILLED and ER_CLIENT_INTERACTION_TIMEOUT.
   */
  private static final Set<Integer> SESSION_ENDED = Set.of(1053, 1152, 1184, 1927, 3169, 4031);

  private SqlFailures() {}

  /** What a failure means for the transaction it came from. */
  enum Meaning {
    /** Another transaction was in the way: all of this one may be tried again. */
    CONFLICT,
    /** A row with the same unique key is committed. */
    DUPLICATE,
    /** The connection, and with it the answer, is lost. */
    CONNECTION_LOST,
    /** Anything else: the statement was refused. */
    REFUSED
  }

  static Meaning meaning(SQLException failure) {
    int code = failure.getErrorCode();
    String state = failure.getSQLState();
    if (code == DUPLICATE_ENTRY) {
      return Meaning.DUPLICATE;
    }
    if (CONFLICTS.contains(code) || "40001".equals(state)) {
      return Meaning.CONFLICT;
    }
    if (SESSION_ENDED.contains(code)
        || (state != null && state.startsWith("08"))
        || failure instanceof SQLNonTransientConnectionException
        || failure instanceof SQLTransientConnectionException
        || failure instanceof SQLRecoverableException) {
      return Meaning.CONNECTION_LOST;
    }
    return Meaning.REFUSED;
  }
}
