package io.stockproof.verification.protocol;

import io.stockproof.gate.Script;
import io.stockproof.verification.explore.RecordedRun.Sent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the commands of the core are called in the model. */
final class Vocabulary {

  enum Verb {
    ACQUIRE,
    RELEASE,
    CONFIRM,
    EXHAUSTED,
    RENEW,
    STALE,
    SETTLE,
    BEGIN,
    INSTALL,
    FINISH,
    INSPECT,
    COUNT,
    INSERT,
    COMMIT,
    ROLLBACK,
    EXPLAIN,
    LOCK,
    TOKEN,
    TOKENS,
    FIND,
    RAISE,
    USERS,
    OTHER
  }

  private static final Map<String, Verb> SCRIPTS =
      Map.ofEntries(
          Map.entry("acquire", Verb.ACQUIRE),
          Map.entry("release", Verb.RELEASE),
          Map.entry("confirm", Verb.CONFIRM),
          Map.entry("exhausted", Verb.EXHAUSTED),
          Map.entry("renew", Verb.RENEW),
          Map.entry("stale", Verb.STALE),
          Map.entry("settle", Verb.SETTLE),
          Map.entry("rebuild-begin", Verb.BEGIN),
          Map.entry("rebuild-install", Verb.INSTALL),
          Map.entry("rebuild-finish", Verb.FINISH),
          Map.entry("inspect", Verb.INSPECT));

  /** The first that stands in a statement says what it is. */
  private static final Map<String, Verb> STATEMENTS = new LinkedHashMap<>();

  static {
    STATEMENTS.put("SET issued = issued + 1", Verb.COUNT);
    STATEMENTS.put("SET epoch = epoch + 1", Verb.RAISE);
    STATEMENTS.put("INSERT INTO issued_coupon", Verb.INSERT);
    STATEMENTS.put("LEFT JOIN", Verb.EXPLAIN);
    STATEMENTS.put("FOR UPDATE", Verb.LOCK);
    STATEMENTS.put("ORDER BY", Verb.USERS);
    STATEMENTS.put(" IN (", Verb.TOKENS);
    STATEMENTS.put("SELECT token", Verb.TOKEN);
    STATEMENTS.put("SELECT c.id", Verb.FIND);
  }

  private final Map<String, Verb> byDigest = new LinkedHashMap<>();

  Vocabulary() throws IOException, NoSuchAlgorithmException {
    for (Map.Entry<String, Verb> script : SCRIPTS.entrySet()) {
      String text = read("prelude") + read(script.getKey());
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      byDigest.put(HexFormat.of().formatHex(digest), script.getValue());
      byDigest.put(text, script.getValue());
    }
  }

  private static String read(String name) throws IOException {
    try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
      if (in == null) {
        throw new IOException("the core has no script " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  Verb of(Sent sent) {
    if (sent.redis()) {
      return byDigest.entrySet().stream()
          .filter(known -> sent.statement().contains(known.getKey()))
          .map(Map.Entry::getValue)
          .findFirst()
          .orElse(Verb.OTHER);
    }
    return switch (sent.name()) {
      case "COMMIT" -> Verb.COMMIT;
      case "ROLLBACK" -> Verb.ROLLBACK;
      default ->
          STATEMENTS.entrySet().stream()
              .filter(known -> sent.statement().contains(known.getKey()))
              .map(Map.Entry::getValue)
              .findFirst()
              .orElse(Verb.OTHER);
    };
  }
}
