package io.stockproof.verification;

import org.springframework.context.ApplicationContext;

/** Finds in a Spring application that has started what issues coupons. */
@FunctionalInterface
public interface SpringBootIssuer {

  /**
   * Finds it, for example {@code context -> context.getBean(CouponService.class)::issue}.
   *
   * @param context of one instance
   */
  Subject.Instance in(ApplicationContext context);
}
