package io.stockproof.verification.gallery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.stockproof.verification.FirstViolation;
import io.stockproof.verification.SubjectVerification;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.WithoutDisk;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.explore.Exploration;
import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Rules;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/** The gallery: what was mutated is right, and every mutant is caught by its rule. */
@ExtendWith(WithoutDisk.class)
final class GalleryTest {
  private static final Environment ENVIRONMENT = Environments.shared();
  private static final long SEED = 42;

  /** The plans of {@code verify}; time enough for a machine that has other work, too. */
  private static final SubjectVerification.Effort PATIENT =
      new SubjectVerification.Effort(1, Duration.ofSeconds(6), Duration.ofSeconds(60));

  /** Enough for right issuers to be seen right: every plan of stress once. */
  private static final SubjectVerification.Effort QUICK =
      new SubjectVerification.Effort(1, Duration.ofSeconds(3), Duration.ofSeconds(20));

  private static final Set<String> CASES = publicCases();

  @TestFactory
  Stream<DynamicTest> originals_are_right() {
    return Gallery.originals().stream()
        .map(original -> dynamicTest(original.name(), () -> isRight(original)));
  }

  private static void isRight(Gallery.Original original) throws Exception {
    SubjectVerification.Outcome outcome =
        new SubjectVerification(ENVIRONMENT, QUICK, SEED, what -> {})
            .verify(original.make(), ExpectedRules.none());

    assertThat(outcome.verdict().verdict())
        .as(outcome.verdict().reason() + " " + outcome.verdict().violations())
        .isEqualTo(Verdict.PASS);
  }

  @TestFactory
  Stream<DynamicTest> every_mutant_is_caught_by_its_rule() {
    SubjectVerification verification =
        new SubjectVerification(ENVIRONMENT, PATIENT, SEED, what -> {});
    return Gallery.all().stream()
        .map(mutant -> dynamicTest(mutant.name(), () -> isCaught(mutant, verification)));
  }

  private static void isCaught(Mutant mutant, SubjectVerification verification) throws Exception {
    FirstViolation caught =
        Objects.requireNonNull(
            verification.firstViolation(mutant.make(), mutant.rule()),
            () -> mutant.rule() + " did not catch " + mutant.name());

    Exploration.Witness witness =
        Objects.requireNonNull(caught.witness(), () -> "caught only by " + caught.where());
    assertThat(witness.run().requests()).isLessThanOrEqualTo(3);
    assertThat(witness.run().commands()).isLessThanOrEqualTo(14);
  }

  @Test
  void there_are_forty_mutants_or_more_each_with_a_name_of_its_own() {
    List<String> names = Gallery.all().stream().map(Mutant::name).toList();

    assertThat(names).hasSizeGreaterThanOrEqualTo(40).doesNotHaveDuplicates();
    assertThat(names).allMatch(name -> name.matches("[a-z]+(-[a-z]+)+"));
  }

  @Test
  void mutants_are_named_after_what_they_were_made_from() {
    List<String> originals = Gallery.originals().stream().map(o -> o.name() + "-").toList();

    assertThat(Gallery.all())
        .allMatch(mutant -> originals.stream().anyMatch(mutant.name()::startsWith));
  }

  @Test
  void every_mutant_comes_from_public_cases_and_names_a_rule_that_is_judged() {
    assertThat(Gallery.all())
        .allSatisfy(
            mutant -> {
              assertThat(mutant.cases()).isNotEmpty().isSubsetOf(CASES);
              assertThat(Rules.judged()).contains(mutant.rule());
            });
  }

  private static Set<String> publicCases() {
    try (InputStream file =
        Objects.requireNonNull(GalleryTest.class.getResourceAsStream("public-cases.txt"))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .collect(Collectors.toCollection(HashSet::new));
    } catch (IOException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }
}
