package io.stockproof.gate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A Lua script and the digest by which Redis knows it.
 *
 * @param name for messages
 * @param text the source, with the common part in front
 * @param digest SHA-1 of the text in lower-case hexadecimal, as EVALSHA wants it
 */
public record Script(String name, String text, String digest) {

  private static final String PRELUDE = read("prelude");

  static Script named(String name) {
    String text = PRELUDE + read(name);
    return new Script(name, text, sha1(text));
  }

  private static String read(String name) {
    String resource = name + ".lua";
    try (InputStream in = Script.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("resource " + resource + " is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + resource, e);
    }
  }

  private static String sha1(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
