package io.stockproof.verification;

/**
 * One call to issue in a {@link Scenario}.
 *
 * @param userId who asks
 * @param instance index of the instance that is asked, from 0
 */
public record Request(String userId, int instance) {}
