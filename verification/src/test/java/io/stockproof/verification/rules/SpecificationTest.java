package io.stockproof.verification.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SpecificationTest {

  private static final Path SPECIFICATION = Path.of("..", "SPEC.md");

  @ParameterizedTest
  @EnumSource(Rule.class)
  void each_rule_stands_in_SPEC_as_it_does_in_code(Rule rule) throws IOException {
    String specification = Files.readString(SPECIFICATION);
    String row =
        "| [%s](#%s) | %s | %s | "
            .formatted(
                rule.id(), rule.id().toLowerCase(Locale.ROOT), rule.strength(), rule.title());
    String applies = rule.capability() == null ? "| all |" : "| claims " + rule.capability() + " |";
    String heading = "### %s %s (%s)".formatted(rule.id(), rule.title(), rule.strength());
    String statement = rule.statement().substring(1) + ".";

    assertThat(specification.lines().filter(line -> line.startsWith(row)))
        .singleElement()
        .asString()
        .contains("| " + judgedBy(rule.means()) + " |")
        .endsWith(applies);
    assertThat(specification).contains(heading).contains(statement).contains(rule.intent());
  }

  private static String judgedBy(Rule.Means means) {
    return switch (means) {
      case STEPWISE_AND_STRESS -> "search, stress";
      case STEPWISE -> "search";
      case STRESS -> "stress";
      case CAMPAIGN -> "chaos";
      case NOT_YET -> "not yet";
    };
  }

  @Test
  void SPEC_has_no_rule_that_the_code_lacks() throws IOException {
    long headings =
        Files.readString(SPECIFICATION).lines().filter(line -> line.startsWith("### R")).count();

    assertThat(headings).isEqualTo(Rule.values().length);
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void what_can_be_judged_has_a_checker(Rule rule) {
    boolean fromHistories =
        rule.means() != Rule.Means.NOT_YET && rule.means() != Rule.Means.CAMPAIGN;
    assertThat(Rules.judged().contains(rule)).isEqualTo(fromHistories);
    assertThat(rule.skippedBecause().isEmpty()).isEqualTo(fromHistories);
  }
}
