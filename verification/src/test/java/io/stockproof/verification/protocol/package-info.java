/**
 * The core's protocol as an explicit-state model: gate, ledger, requests, reconciler and rebuilds
 * take the steps of the scripts and transactions that the core really has, in every order and with
 * every fault, and the rules are asked of every state. {@code docs/protocol.md} says what follows
 * from it.
 */
@NullMarked
package io.stockproof.verification.protocol;

import org.jspecify.annotations.NullMarked;
