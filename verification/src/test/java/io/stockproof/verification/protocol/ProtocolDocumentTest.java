package io.stockproof.verification.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.explore.Explorer;
import io.stockproof.verification.explore.Replay;
import io.stockproof.verification.explore.Token;
import io.stockproof.verification.subjects.Subjects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The runs that docs/protocol.md names are still what it says: they replay, and break nothing. */
final class ProtocolDocumentTest {

  private static final Pattern TOKEN = Pattern.compile("SP1\\.[A-Za-z0-9_-]+");
  private static final int FAULTS_ARGUED = 15;

  @Test
  void everyTokenReplaysAndBreaksNoRule() throws Exception {
    List<Token> tokens = tokens();
    assertThat(tokens).hasSizeGreaterThanOrEqualTo(FAULTS_ARGUED);
    try (Subject subject = Subjects.named("stockproof").orElseThrow().make().get();
        Explorer explorer = new Explorer(Environments.shared(), subject)) {
      for (Token token : tokens) {
        Replay replay = explorer.replay(token);
        assertThat(token.subject()).isEqualTo("stockproof");
        assertThat(replay.divergence()).as(token.faults() + "").isNull();
        assertThat(replay.verdict()).as(token.faults() + "").isEqualTo(Verdict.PASS);
      }
    }
  }

  private static List<Token> tokens() throws IOException {
    String text = Files.readString(Path.of("..", "docs", "protocol.md"));
    return TOKEN.matcher(text).results().map(MatchResult::group).map(Token::parse).toList();
  }
}
