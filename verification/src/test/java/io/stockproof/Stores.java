package io.stockproof;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.stockproof.ledger.LedgerSchema;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The real stores of a server test, with the default schema; every test uses coupons of its own.
 */
public final class Stores implements AutoCloseable {

  private static final AtomicLong LAST_COUPON = new AtomicLong(System.nanoTime());

  private final Environment environment = Environments.shared();
  private final List<AutoCloseable> opened = new ArrayList<>();
  public final Endpoints endpoints = environment.endpoints(10);
  public final RedisClient redisClient = RedisClient.create(endpoints.redisUri());
  public final RedisCommands<String, String> redis = redisClient.connect().sync();

  public Stores() {
    // Whatever tables another test left: these are the core's own.
    sql("DROP TABLE IF EXISTS issued_coupon");
    sql("DROP TABLE IF EXISTS coupon");
    LedgerSchema.defaults().ddl().forEach(this::sql);
  }

  public static long newCoupon() {
    return LAST_COUPON.incrementAndGet();
  }

  public static CouponSpec spec(long id, long total) {
    Instant now = Instant.now();
    return new CouponSpec(id, total, now.minusSeconds(60), now.plusSeconds(3600));
  }

  /** A pool of another size or with other settings in its URL. */
  public HikariDataSource pool(int size, Duration connectionTimeout, String urlSettings) {
    HikariConfig config = new HikariConfig();
    String url = endpoints.jdbcUrl();
    String separator = urlSettings.isEmpty() ? "" : url.contains("?") ? "&" : "?";
    config.setJdbcUrl(url + separator + urlSettings);
    config.setUsername(endpoints.dbUser());
    config.setPassword(endpoints.dbPassword());
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(connectionTimeout.toMillis());
    HikariDataSource pool = new HikariDataSource(config);
    opened.add(pool);
    return pool;
  }

  /** Manual mode: what it sends is what the test asks for. */
  public Stockproof manual() {
    return keep(Stockproof.issuer(endpoints.dataSource(), redisClient).background(false).build());
  }

  public <T extends AutoCloseable> T keep(T closeable) {
    opened.add(0, closeable);
    return closeable;
  }

  public Connection connection() throws SQLException {
    return environment.admin().getConnection();
  }

  public int sql(String statement, Object... arguments) {
    try (Connection connection = connection();
        PreparedStatement prepared = connection.prepareStatement(statement)) {
      for (int i = 0; i < arguments.length; i++) {
        prepared.setObject(i + 1, arguments[i]);
      }
      return prepared.executeUpdate();
    } catch (SQLException e) {
      throw new AssertionError(statement, e);
    }
  }

  public long number(String query, Object... arguments) {
    try (Connection connection = connection();
        PreparedStatement prepared = connection.prepareStatement(query)) {
      for (int i = 0; i < arguments.length; i++) {
        prepared.setObject(i + 1, arguments[i]);
      }
      try (ResultSet rows = prepared.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    } catch (SQLException e) {
      throw new AssertionError(query, e);
    }
  }

  public long rows(long coupon) {
    return number("SELECT COUNT(*) FROM issued_coupon WHERE coupon_id = ?", coupon);
  }

  public long counter(long coupon) {
    return number("SELECT issued FROM coupon WHERE id = ?", coupon);
  }

  public static String key(long coupon, String name) {
    return "coupon:{" + coupon + "}:" + name;
  }

  public String gateStock(long coupon) {
    return String.valueOf(redis.get(key(coupon, "stock")));
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable closeable : opened) {
      closeable.close();
    }
    redisClient.shutdown(0, 1, TimeUnit.SECONDS);
    if (endpoints instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }
}
