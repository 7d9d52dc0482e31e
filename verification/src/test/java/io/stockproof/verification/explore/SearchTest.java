package io.stockproof.verification.explore;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Capability;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SearchTest {

  static final class Naive implements Subject {
    @Override
    public String name() {
      return "naive";
    }

    @Override
    public Set<Capability> capabilities() {
      return Set.of(Capability.MULTI_INSTANCE);
    }

    @Override
    public void reset(Environment environment, Scenario scenario) throws Exception {
      try (Connection c = environment.admin().getConnection();
          var s = c.createStatement()) {
        s.execute(
            "CREATE TABLE IF NOT EXISTS coupon (id BIGINT PRIMARY KEY, total BIGINT NOT NULL, issued BIGINT NOT NULL)");
        s.execute(
            "CREATE TABLE IF NOT EXISTS issued_coupon (id BIGINT AUTO_INCREMENT PRIMARY KEY, coupon_id BIGINT NOT NULL, user_id VARCHAR(64) NOT NULL, KEY k (coupon_id))");
        s.execute(
            "INSERT INTO coupon VALUES (" + scenario.couponId() + "," + scenario.total() + ",0)");
      }
    }

    @Override
    public Instance start(Endpoints endpoints) {
      return (couponId, userId) -> {
        try (Connection c = endpoints.dataSource().getConnection()) {
          c.setAutoCommit(false);
          long issued;
          long total;
          try (PreparedStatement s =
              c.prepareStatement("SELECT issued, total FROM coupon WHERE id = ?")) {
            s.setLong(1, couponId);
            try (ResultSet r = s.executeQuery()) {
              r.next();
              issued = r.getLong(1);
              total = r.getLong(2);
            }
          }
          if (issued >= total) {
            c.rollback();
            return IssueOutcome.SOLD_OUT;
          }
          try (PreparedStatement s =
              c.prepareStatement("INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)")) {
            s.setLong(1, couponId);
            s.setString(2, userId);
            s.executeUpdate();
          }
          try (PreparedStatement s =
              c.prepareStatement("UPDATE coupon SET issued = ? WHERE id = ?")) {
            s.setLong(1, issued + 1);
            s.setLong(2, couponId);
            s.executeUpdate();
          }
          c.commit();
          return IssueOutcome.ISSUED;
        }
      };
    }

    @Override
    public StoreState observe(Environment environment, long couponId) throws Exception {
      Map<String, Long> rows = new HashMap<>();
      long counter = 0;
      try (Connection c = environment.admin().getConnection();
          PreparedStatement s =
              c.prepareStatement(
                  "SELECT c.issued, i.user_id, COUNT(i.id) FROM coupon c LEFT JOIN issued_coupon i ON i.coupon_id = c.id WHERE c.id = ? GROUP BY i.user_id")) {
        s.setLong(1, couponId);
        try (ResultSet r = s.executeQuery()) {
          while (r.next()) {
            counter = r.getLong(1);
            if (r.getString(2) != null) {
              rows.put(r.getString(2), r.getLong(3));
            }
          }
        }
      }
      return new StoreState(rows, counter, StoreState.MISSING, Set.of(), Set.of());
    }
  }

  @Test
  void scratch() throws Exception {
    Environment environment = Environments.shared();
    environment.durable(false);
    try (Explorer explorer = new Explorer(environment, new Naive())) {
      Exploration found =
          explorer.explore(
              Scenario.users(1, 2, 1, 2), SearchSettings.calm(Duration.ofSeconds(20)), p -> {});
      show(found);
      found =
          explorer.explore(
              Scenario.users(1, 3, 1, 3), SearchSettings.calm(Duration.ofSeconds(20)), p -> {});
      show(found);
      found =
          explorer.explore(
              Scenario.users(1, 2, 1, 2),
              new SearchSettings(
                  SearchSettings.Mode.RANDOM, Set.of(), 0, Duration.ofSeconds(5), 1, true),
              p -> {});
      show(found);
    }
  }

  private static void show(Exploration e) {
    System.out.printf(
        "%s runs %d classes %d exh %s %s %.1f s %.0f/s goals %s%n",
        e.scenario(),
        e.interleavings(),
        e.classes(),
        e.exhaustive(),
        e.limits(),
        e.seconds(),
        e.interleavingsPerSecond(),
        e.goals());
    for (var r : e.rules()) {
      System.out.println(r.rule().id() + " " + r.verdict() + " " + r.detail());
      if (r.witness() != null) {
        System.out.println(r.witness().token().text() + " at " + r.witness().foundAtRun());
        System.out.println(r.witness().run().lanes(100));
      }
    }
  }
}
