package io.stockproof.verification.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.explore.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The runs that docs/protocol.md names are whole, and runs of the core with the faults it argues.
 */
final class ProtocolDocumentTest {

  private static final Pattern TOKEN = Pattern.compile("SP1\\.[A-Za-z0-9_-]+");
  private static final int FAULTS_ARGUED = 15;

  @Test
  void everyTokenIsARunOfTheCoreWithAFault() throws IOException {
    String text = Files.readString(Path.of("..", "docs", "protocol.md"));
    List<Token> tokens =
        TOKEN.matcher(text).results().map(MatchResult::group).map(Token::parse).toList();
    assertThat(tokens).hasSizeGreaterThanOrEqualTo(FAULTS_ARGUED);
    assertThat(tokens)
        .allSatisfy(
            token -> {
              assertThat(token.subject()).isEqualTo("stockproof");
              assertThat(token.faults()).isNotEmpty();
              assertThat(token.steps()).isNotEmpty();
            });
  }
}
