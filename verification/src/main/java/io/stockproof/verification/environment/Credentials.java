package io.stockproof.verification.environment;

import java.security.SecureRandom;
import java.util.HexFormat;

/** A database user. The password never appears in {@link #toString()}. */
record Credentials(String user, String password) {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int PASSWORD_BYTES = 16;

  /** A user with a new random password: hexadecimal, so that no quoting is needed anywhere. */
  static Credentials random(String user) {
    byte[] bytes = new byte[PASSWORD_BYTES];
    RANDOM.nextBytes(bytes);
    return new Credentials(user, HexFormat.of().formatHex(bytes));
  }

  @Override
  public String toString() {
    return user;
  }
}
