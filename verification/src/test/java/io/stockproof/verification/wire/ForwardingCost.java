package io.stockproof.verification.wire;

import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import redis.clients.jedis.Jedis;

/**
 * Prints what one hop through a proxy costs a command: directly, passed on without a look,
 * forwarded by the reading thread, and held and forwarded by another thread. Figures are reported,
 * not asserted. Run {@code main} with the test class path.
 */
final class ForwardingCost {
  private static final int WARM_UP = 20_000;
  private static final int ROUNDS = 20_000;

  private ForwardingCost() {}

  private interface Step {
    void run() throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    Environment environment = Environments.shared();
    System.out.println(environment.describe());
    BlockingQueue<Command> queue = new LinkedBlockingQueue<>();
    Thread scheduler = new Thread(() -> forwardEach(queue), "stockproof-wire-benchmark");
    scheduler.setDaemon(true);
    scheduler.start();
    Traffic forwards = Command::forward;
    Traffic holds = queue::add;
    try (ProxiedEndpoints passed = new ProxiedEndpoints(environment, "pass", 1, Traffic.PASS);
        ProxiedEndpoints forwarded = new ProxiedEndpoints(environment, "forward", 1, forwards);
        ProxiedEndpoints held = new ProxiedEndpoints(environment, "hold", 1, holds)) {
      redis("warm-up", environment.redis().port());
      redis("direct", environment.redis().port());
      redis("passed", passed.redisProxy().port());
      redis("forwarded", forwarded.redisProxy().port());
      redis("held", held.redisProxy().port());
      try (var direct = environment.endpoints(1)) {
        sql("warm-up", direct.jdbcUrl(), forwarded);
        sql("direct", direct.jdbcUrl(), forwarded);
      }
      sql("passed", passed.jdbcUrl(), passed);
      sql("forwarded", forwarded.jdbcUrl(), forwarded);
      sql("held", held.jdbcUrl(), held);
    }
  }

  private static void forwardEach(BlockingQueue<Command> queue) {
    try {
      while (true) {
        queue.take().forward();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void redis(String how, int port) throws Exception {
    try (Jedis jedis = new Jedis("127.0.0.1", port)) {
      jedis.set("wire:cost", "1");
      measure("redis GET", how, () -> jedis.get("wire:cost"));
    }
  }

  private static void sql(String how, String url, ProxiedEndpoints user) throws Exception {
    try (Connection connection =
            DriverManager.getConnection(url, user.dbUser(), user.dbPassword());
        Statement make = connection.createStatement()) {
      make.execute("CREATE TABLE IF NOT EXISTS wire_cost (id INT PRIMARY KEY, v INT)");
      make.execute("REPLACE INTO wire_cost VALUES (1, 1)");
      try (PreparedStatement select =
          connection.prepareStatement("SELECT v FROM wire_cost WHERE id = 1")) {
        measure("SQL SELECT", how, () -> read(select));
      }
    }
  }

  private static void read(PreparedStatement select) throws SQLException {
    try (var rows = select.executeQuery()) {
      if (!rows.next()) {
        throw new IllegalStateException("the row is gone");
      }
    }
  }

  private static void measure(String what, String how, Step step) throws Exception {
    for (int i = 0; i < WARM_UP; i++) {
      step.run();
    }
    long[] nanos = new long[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long before = System.nanoTime();
      step.run();
      nanos[i] = System.nanoTime() - before;
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "cost %-10s %-9s p50=%6.1f µs p95=%6.1f µs mean=%6.1f µs%n",
        what,
        how,
        nanos[ROUNDS / 2] / 1e3,
        nanos[ROUNDS * 95 / 100] / 1e3,
        Arrays.stream(nanos).average().orElse(0) / 1e3);
  }
}
