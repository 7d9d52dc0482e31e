package io.stockproof.verification.history;

import io.stockproof.IssueOutcome;
import org.jspecify.annotations.Nullable;

/**
 * A call with input that must be refused, made at rest, and what it did (R603).
 *
 * @param given the input, for people
 * @param parameter what is wrong with it: {@code user} or {@code coupon}
 * @param told the outcome; null if it threw
 * @param error the exception's message; null if there was none
 * @param refused whether it threw an {@link IllegalArgumentException}, or a {@link
 *     NullPointerException} for null
 * @param commands how many commands went to the stores meanwhile; housekeeping not counted
 * @param changed whether the stores were not as before
 */
public record BadInput(
    String given,
    String parameter,
    @Nullable IssueOutcome told,
    @Nullable String error,
    boolean refused,
    long commands,
    boolean changed) {}
