package io.stockproof.verification.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.WithoutDisk;
import io.stockproof.verification.environment.Environment;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The runs that docs/protocol.md names are runs of the core, and break no rule. */
@ExtendWith(WithoutDisk.class)
final class ProtocolDocumentTest {

  private static final Environment ENVIRONMENT = Environments.shared();

  /** A row of the table of faults: its first cell. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (.+?) \\| [A-Z].*\\|$");

  private static final Pattern RUN =
      Pattern.compile("(?m)^    # (.+)\n    \\./stockproof replay (SP1\\.[A-Za-z0-9_-]+)$");

  private static final Pattern TOKEN = Pattern.compile("SP1\\.");

  @Test
  void everyFaultOfTheTableHasItsRunAndNoRunIsWithoutFault() throws IOException {
    List<String> faults = ROW.matcher(argument()).results().map(row -> row.group(1)).toList();
    assertThat(runs().map(run -> run.group(1))).isNotEmpty().containsExactlyElementsOf(faults);
    assertThat(TOKEN.matcher(document()).results()).hasSameSizeAs(faults);
  }

  static Stream<Arguments> namedRuns() throws IOException {
    return runs().map(run -> Arguments.of(run.group(1), Token.parse(run.group(2))));
  }

  /** On a server that knows no script, as a newcomer's does not. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("namedRuns")
  void theRunIsMadeAgainAndBreaksNoRule(String fault, Token token) throws Exception {
    forgetScripts();
    try (Subject subject = Subjects.named("stockproof").orElseThrow().make().get();
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      Replay replay = explorer.replay(token);

      assertThat(token.subject()).isEqualTo("stockproof");
      assertThat(token.faults()).isNotEmpty();
      assertThat(replay.divergence()).isNull();
      assertThat(replay.run().faults()).isEqualTo(token.faults().size());
      assertThat(replay.findings()).isNotEmpty();
      assertThat(replay.verdict()).isEqualTo(Verdict.PASS);
    }
  }

  private static void forgetScripts() {
    RedisClient client = RedisClient.create(ENVIRONMENT.redis().uri());
    try {
      client.connect().sync().scriptFlush();
    } finally {
      client.shutdown();
    }
  }

  private static Stream<MatchResult> runs() throws IOException {
    return RUN.matcher(document()).results();
  }

  /** The section that argues each fault. */
  private static String argument() throws IOException {
    String text = document();
    int begin = text.indexOf("## The argument for each fault");
    return text.substring(begin, text.indexOf("\n## ", begin + 1));
  }

  private static String document() throws IOException {
    return Files.readString(Path.of("..", "docs", "protocol.md"));
  }
}
