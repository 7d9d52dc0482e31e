/**
 * Proxies in front of Redis and the database that see, hold, forward, fail and cut single commands
 * of a real application, whatever language and client it is written with.
 *
 * <p>{@link io.stockproof.verification.wire.WireProxy} listens on the loopback interface and shows
 * each command to a {@link io.stockproof.verification.wire.Traffic}, who decides about it by the
 * methods of {@link io.stockproof.verification.wire.Command}. Bytes are forwarded as they came;
 * what cannot be decoded is passed on and counted. Inside, a {@code Link} is one proxied connection
 * with its two threads, and a {@code Dialect} is what differs between RESP and the MySQL protocol.
 */
@NullMarked
package io.stockproof.verification.wire;

import org.jspecify.annotations.NullMarked;
