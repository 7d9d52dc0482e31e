package io.stockproof;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Tokens that no other instance makes: a random part drawn once, and a number. */
final class Tokens implements Supplier<String> {

  private final String prefix;
  private final AtomicLong last = new AtomicLong();

  Tokens() {
    byte[] bytes = new byte[8];
    new SecureRandom().nextBytes(bytes);
    prefix = HexFormat.of().formatHex(bytes) + "-";
  }

  @Override
  public String get() {
    return prefix + Long.toString(last.incrementAndGet(), Character.MAX_RADIX);
  }
}
