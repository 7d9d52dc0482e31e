package io.stockproof.verification.spring;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/** A Spring Boot application as anyone's: all it knows of its stores is what the properties say. */
@SpringBootApplication
class ShopApplication {

  static final AtomicInteger STARTED = new AtomicInteger();
  static final AtomicInteger CLOSED = new AtomicInteger();

  /** How many contexts at most were starting or closing at one time. */
  static final AtomicInteger MOST_AT_ONCE = new AtomicInteger();

  private static final AtomicInteger BUSY = new AtomicInteger();

  @Bean
  CouponService couponService(
      JdbcTemplate jdbc, StringRedisTemplate redis, PlatformTransactionManager transactions) {
    return new CouponService(jdbc, redis, transactions);
  }

  /** Counts contexts. */
  @Bean
  DisposableBean counter() throws InterruptedException {
    takeTime(STARTED);
    return () -> takeTime(CLOSED);
  }

  private static void takeTime(AtomicInteger counted) throws InterruptedException {
    MOST_AT_ONCE.accumulateAndGet(BUSY.incrementAndGet(), Math::max);
    Thread.sleep(20);
    BUSY.decrementAndGet();
    counted.incrementAndGet();
  }
}
