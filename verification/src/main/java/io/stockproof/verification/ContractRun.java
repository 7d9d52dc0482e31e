package io.stockproof.verification;

import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.explore.Exploration;
import io.stockproof.verification.explore.Explorer;
import io.stockproof.verification.explore.FailureText;
import io.stockproof.verification.explore.Replay;
import io.stockproof.verification.explore.Token;
import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One verification of the subject of a contract, and what each rule's test is told of it.
 * Immutable.
 */
final class ContractRun {

  private static final int COLUMNS = 100;

  private final Class<?> contract;
  private final ContractSettings settings;
  private final String subject;
  private final Set<Capability> capabilities;
  private final String environment;
  private final SubjectVerification.Outcome outcome;

  private ContractRun(
      Class<?> contract,
      ContractSettings settings,
      Subject subject,
      String environment,
      SubjectVerification.Outcome outcome) {
    this.contract = contract;
    this.settings = settings;
    this.subject = subject.name();
    this.capabilities = Set.copyOf(subject.capabilities());
    this.environment = environment;
    this.outcome = outcome;
  }

  /** What is said of one rule: at most one of the two is there, and neither means that it held. */
  record Answer(@Nullable String violated, @Nullable String notJudged) {}

  /** Verifies. */
  static ContractRun of(
      Class<?> contract, ContractSettings settings, Supplier<? extends Subject> make)
      throws Exception {
    Environment environment = environment();
    SubjectVerification.Outcome outcome =
        new SubjectVerification(
                environment, settings.forVerification(), settings.seed(), progress -> {})
            .verify(make, ExpectedRules.none());
    try (Subject subject = make.get()) {
      return new ContractRun(contract, settings, subject, environment.describe(), outcome);
    }
  }

  /** The servers of this JVM, which need not wait for a disk: the interleavings are the same. */
  static Environment environment() {
    Environment environment = Environments.shared();
    environment.durable(false);
    return environment;
  }

  Answer answer(Rule rule) {
    Capability needed = rule.capability();
    if (!Rules.appliesTo(rule, capabilities)) {
      return new Answer(null, "%s does not claim %s".formatted(subject, needed));
    }
    if (!Rules.judged().contains(rule)) {
      return new Answer(null, "not judged yet: " + rule.skippedBecause());
    }
    Finding finding =
        outcome.verdict().rules().stream().filter(f -> f.rule() == rule).findFirst().orElseThrow();
    return switch (finding.verdict()) {
      case VIOLATED -> new Answer(failure(finding), null);
      case INCONCLUSIVE ->
          new Answer(
              null, (finding.reached() ? "undecided: " : "not reached: ") + finding.detail());
      default -> new Answer(null, null);
    };
  }

  private String failure(Finding finding) {
    Exploration.Witness witness = Exploration.shortest(outcome.searches(), finding.rule());
    return witness == null
        ? FailureText.byStress(
            finding.rule(),
            finding.detail(),
            "mvn test '-Dtest=%s' -Dstockproof.seed=%d -Dstockproof.effort=%s"
                .formatted(contract.getName(), settings.seed(), settings.effort()))
        : FailureText.explained(
            finding.rule(),
            detail(finding, witness),
            witness.run(),
            COLUMNS,
            again(contract, witness.token()));
  }

  /** What the run that is shown says of the rule, which another run may have broken worse. */
  private String detail(Finding finding, Exploration.Witness witness) {
    return outcome.searches().stream()
        .flatMap(search -> search.rules().stream())
        .filter(result -> result.rule() == finding.rule() && witness.equals(result.witness()))
        .map(Exploration.Result::detail)
        .findFirst()
        .orElse(finding.detail());
  }

  private static List<String> again(Class<?> contract, Token token) {
    return List.of(
        "mvn test '-Dtest=%s#replay' -Dstockproof.replay=%s"
            .formatted(contract.getName(), token.text()),
        "./stockproof replay %s --classpath target/test-classes:target/classes --subject '%s'"
            .formatted(token.text(), contract.getName()));
  }

  /** Why the verification as a whole proves nothing; null if it is conclusive. */
  @Nullable String inconclusive() {
    SubjectVerdict verdict = outcome.verdict();
    return verdict.verdict() == Verdict.INCONCLUSIVE
        ? "%s is INCONCLUSIVE: %s%n%s"
            .formatted(subject, verdict.reason(), String.join(System.lineSeparator(), report()))
        : null;
  }

  /** What was done and found, for people. */
  List<String> report() {
    SubjectVerdict verdict = outcome.verdict();
    List<String> lines = new ArrayList<>();
    lines.add("stockproof: %s  %s  %s".formatted(subject, verdict.verdict(), verdict.reason()));
    lines.add(
        "  %s; seed %d, effort %s".formatted(environment, settings.seed(), settings.effort()));
    outcome.coverage().forEach(line -> lines.add("  " + line));
    Map<String, List<String>> skipped = new LinkedHashMap<>();
    for (Rule rule : Rule.values()) {
      Answer answer = answer(rule);
      if (answer.notJudged() != null) {
        skipped.computeIfAbsent(answer.notJudged(), why -> new ArrayList<>()).add(rule.id());
      } else if (answer.violated() != null && rule.strength() == Rule.Strength.SHOULD) {
        skipped.computeIfAbsent("recommended, and broken", why -> new ArrayList<>()).add(rule.id());
      }
    }
    skipped.forEach((why, ids) -> lines.add("  skipped " + String.join(", ", ids) + ": " + why));
    return lines;
  }

  /** One run by choices that jqwik has drawn; null if it broke no required rule. */
  static @Nullable String failure(Class<?> contract, Explorer.Played played) {
    return played.findings().stream()
        .filter(f -> f.verdict() == Verdict.VIOLATED && f.rule().strength() == Rule.Strength.MUST)
        .findFirst()
        .map(
            f ->
                FailureText.explained(
                    f.rule(), f.detail(), played.run(), COLUMNS, again(contract, played.token())))
        .orElse(null);
  }

  /** What a replay has to say if it is not a pass; null if it is one. */
  static @Nullable String failure(Class<?> contract, Token token, Replay replay) {
    if (replay.divergence() != null) {
      return "INCONCLUSIVE: %s%n%s".formatted(replay.divergence(), replay.run().lanes(COLUMNS));
    }
    return replay.findings().stream()
        .filter(f -> f.verdict() == Verdict.VIOLATED)
        .findFirst()
        .map(
            f ->
                FailureText.explained(
                    f.rule(), f.detail(), replay.run(), COLUMNS, again(contract, token)))
        .orElse(null);
  }
}
