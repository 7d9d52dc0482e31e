package com.example;

import io.stockproof.verification.IssuanceContract;
import io.stockproof.verification.Subject;

class GoodIssuerTest extends IssuanceContract {
  @Override
  protected Subject subject() {
    return Subject.springBoot(
        ShopApplication.class,
        context -> {
          CouponService service = context.getBean(CouponService.class);
          return (coupon, user) -> Outcomes.of(service.issue(coupon, user));
        });
  }
}
