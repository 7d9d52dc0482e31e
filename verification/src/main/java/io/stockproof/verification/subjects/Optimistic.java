package io.stockproof.verification.subjects;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Subject;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Article 001 §3: read the coupon with its version, count up if the version is still the same, then
 * insert; else pause and try again. Each statement commits by itself, as published: the counter
 * runs ahead of its row, and whoever dies between the two takes a unit along.
 */
final class Optimistic implements Subject.Instance {
  static final String VERSION_COLUMN = "version BIGINT NOT NULL DEFAULT 0";

  private final JdbcTemplate jdbc;
  private final RetrySettings settings;
  private final Random random;

  Optimistic(Endpoints endpoints, RetrySettings settings) {
    this.jdbc = new JdbcTemplate(endpoints.dataSource());
    this.settings = settings;
    this.random = new Random(settings.seed());
  }

  private record Versioned(long issued, long total, long version) {}

  @Override
  public IssueOutcome issue(long couponId, String userId) throws InterruptedException {
    for (int retries = 0; retries <= settings.retries(); retries++) {
      List<Versioned> found = find(couponId);
      if (found.isEmpty()) {
        return IssueOutcome.NOT_OPEN;
      }
      Versioned coupon = found.get(0);
      if (coupon.issued() >= coupon.total()) {
        return IssueOutcome.SOLD_OUT;
      }
      int count =
          jdbc.update(
              "UPDATE coupon SET issued = issued + 1, version = version + 1"
                  + " WHERE id = ? AND version = ?",
              couponId,
              coupon.version());
      if (count == 1) {
        jdbc.update(
            "INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)", couponId, userId);
        return IssueOutcome.ISSUED;
      }
      pause(retries + 1);
    }
    return IssueOutcome.UNAVAILABLE;
  }

  private List<Versioned> find(long couponId) {
    return jdbc.query(
        "SELECT issued, total, version FROM coupon WHERE id = ?",
        (row, number) ->
            new Versioned(row.getLong("issued"), row.getLong("total"), row.getLong("version")),
        couponId);
  }

  private void pause(int attempt) throws InterruptedException {
    double most = (double) settings.pause().toNanos() * attempt;
    TimeUnit.NANOSECONDS.sleep((long) (random.nextDouble() * most));
  }
}
