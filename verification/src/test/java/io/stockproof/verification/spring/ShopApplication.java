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

  @Bean
  CouponService couponService(
      JdbcTemplate jdbc, StringRedisTemplate redis, PlatformTransactionManager transactions) {
    return new CouponService(jdbc, redis, transactions);
  }

  /** Counts contexts. */
  @Bean
  DisposableBean counter() {
    STARTED.incrementAndGet();
    return CLOSED::incrementAndGet;
  }
}
