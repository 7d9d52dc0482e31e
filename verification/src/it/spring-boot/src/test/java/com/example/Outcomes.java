package com.example;

import io.stockproof.IssueOutcome;

final class Outcomes {
  private Outcomes() {}

  static IssueOutcome of(CouponService.Result result) {
    return switch (result) {
      case YOURS -> IssueOutcome.ISSUED;
      case SECOND -> IssueOutcome.DUPLICATE;
      case GONE -> IssueOutcome.SOLD_OUT;
    };
  }
}
