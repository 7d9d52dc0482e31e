/**
 * The search: steers the order of commands of concurrent requests, with faults between them, finds
 * what breaks a rule, shrinks it and gives a token that replays it.
 */
@NullMarked
package io.stockproof.verification.explore;

import org.jspecify.annotations.NullMarked;
