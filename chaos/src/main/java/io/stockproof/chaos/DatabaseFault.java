package io.stockproof.chaos;

import io.stockproof.verification.wire.ProxiedEndpoints;
import io.stockproof.verification.wire.WireError;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** What an operator, a stranger or a full pool does to the database's users. */
public enum DatabaseFault implements Fault {
  /** Not all the time: who is refused at once issues nothing, and its window would say nothing. */
  READ_ONLY(
      "db-readonly",
      2,
      "read-only twice a second, as a primary demoted and promoted again (error 1290)") {
    @Override
    public Undo begin(Target target, Duration lasts) throws Exception {
      boolean[] demoted = {false};
      Repeating turns =
          Repeating.every(
              Duration.ofMillis(250),
              () -> {
                demoted[0] = !demoted[0];
                target.sql("SET GLOBAL read_only = " + (demoted[0] ? "ON" : "OFF"));
              });
      return () -> {
        try {
          turns.undo();
        } finally {
          target.sql("SET GLOBAL read_only = OFF");
        }
      };
    }
  },
  KILL_CONNECTIONS(
      "db-kill-connections", 2, "KILL of every connection of the instances, five times a second") {
    @Override
    public Undo begin(Target target, Duration lasts) throws Exception {
      return Repeating.every(Duration.ofMillis(200), () -> killConnections(target));
    }
  },
  HOT_ROW("db-hot-row", 5, "a stranger holds the lock of the coupon's row") {
    @Override
    public Undo begin(Target target, Duration lasts) throws SQLException {
      Connection stranger = target.environment().admin().getConnection();
      try {
        stranger.setAutoCommit(false);
        try (PreparedStatement lock =
            stranger.prepareStatement("SELECT id FROM coupon WHERE id = ? FOR UPDATE")) {
          lock.setLong(1, target.couponId());
          lock.executeQuery().close();
        }
        return () -> release(stranger);
      } catch (SQLException failed) {
        release(stranger);
        throw failed;
      }
    }
  },
  POOL_EXHAUSTED("db-pool-exhausted", 2, "every connection of the first instance's pool is taken") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      ProxiedEndpoints first = target.wires().get(0);
      PoolHog hog = PoolHog.of(first.dataSource(), first.poolSize());
      return hog::close;
    }
  },
  /** Short, for pools try again less and less often: after 2 s one may wait for another one. */
  TOO_MANY_CONNECTIONS(
      "db-too-many-connections", 1, "connections are lost and new ones refused (error 1040)") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      target
          .wires()
          .forEach(
              wire -> {
                wire.databaseProxy().refuse(WireError.tooManyConnections());
                wire.databaseProxy().cutAll();
              });
      return () -> target.wires().forEach(wire -> wire.databaseProxy().refuse(null));
    }
  };

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts, an enum and a Duration
  private final About about;

  DatabaseFault(String title, int usualSeconds, String meaning) {
    this.about = About.of(title, FaultFamily.DB_FAILURE, usualSeconds, meaning);
  }

  @Override
  public About about() {
    return about;
  }

  /** Those of the instances, and of nobody else who may have the same user. */
  private static void killConnections(Target target) throws SQLException {
    try (Connection admin = target.environment().admin().getConnection();
        Statement statement = admin.createStatement()) {
      for (ProxiedEndpoints wire : target.wires()) {
        for (long id : wire.databaseProxy().serverConnections()) {
          kill(statement, id);
        }
      }
    }
  }

  private static void kill(Statement statement, long id) throws SQLException {
    final int noSuchThread = 1094;
    try {
      statement.execute("KILL CONNECTION " + id);
    } catch (SQLException failed) {
      if (failed.getErrorCode() != noSuchThread) {
        throw failed;
      }
    }
  }

  @Override
  public boolean strikesWholeServer() {
    return this == READ_ONLY;
  }

  private static void release(Connection stranger) throws SQLException {
    try (stranger) {
      stranger.rollback();
      stranger.setAutoCommit(true);
    }
  }
}
