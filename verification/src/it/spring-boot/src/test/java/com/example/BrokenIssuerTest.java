package com.example;

import io.stockproof.verification.GateKeys;
import io.stockproof.verification.IssuanceContract;
import io.stockproof.verification.Subject;

/** Claims nothing, not even several instances: most of the time goes into starting contexts. */
class BrokenIssuerTest extends IssuanceContract {
  @Override
  protected Subject subject() {
    return Subject.springBoot(
            ShopApplication.class,
            context -> {
              CouponService service = context.getBean(CouponService.class);
              return (coupon, user) -> Outcomes.of(service.issueByRedis(coupon, user));
            })
        .withGate(GateKeys.of("coupon:%d:stock", "coupon:%d:users"))
        .claiming();
  }
}
