package io.stockproof.verification.gallery;

import java.util.UUID;

/**
 * One request on its way.
 *
 * @param couponId for what
 * @param userId who asks
 * @param token tells this request from another one of the same user
 * @param fence number under which it was let in; a higher one means that it was overtaken
 */
record Ask(long couponId, String userId, String token, long fence) {

  static Ask of(long couponId, String userId) {
    return new Ask(couponId, userId, UUID.randomUUID().toString(), 0);
  }

  Ask fencedBy(long number) {
    return new Ask(couponId, userId, token, number);
  }
}
