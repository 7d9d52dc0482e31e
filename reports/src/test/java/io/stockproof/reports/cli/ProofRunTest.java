package io.stockproof.reports.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.reports.RunRecord;
import io.stockproof.verification.SubjectVerification;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.gallery.Gallery;
import io.stockproof.verification.gallery.Mutant;
import io.stockproof.verification.rules.Rule;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A proof of one mutant that is there, and of one that is none. */
final class ProofRunTest {
  private static final SubjectVerification.Effort LITTLE =
      new SubjectVerification.Effort(1, Duration.ofSeconds(1), Duration.ofSeconds(1));

  private final StringWriter err = new StringWriter();
  private final StringWriter out = new StringWriter();

  private RunRecord.MutantsRecord prove(Mutant mutant) throws Exception {
    ProofRun proof = new ProofRun(List.of(mutant), Environments.shared(), LITTLE, 42, false);
    Progress progress =
        new Progress(
            new PrintWriter(err), Terminal.fromLauncher(), proof.steps(), System::nanoTime);
    RunRecord.MutantsRecord mutants = proof.run(progress);
    new ProofText(new PrintWriter(out, true)).print(mutants);
    return mutants;
  }

  @Test
  void a_mutant_that_is_caught_is_recorded_with_its_run() throws Exception {
    Mutant mutant =
        Gallery.all().stream()
            .filter(m -> m.name().equals("ledger-affected-rows-ignored"))
            .findFirst()
            .orElseThrow();

    RunRecord.MutantsRecord mutants = prove(mutant);

    assertThat(mutants.missed()).isEmpty();
    RunRecord.MutantRecord caught = mutants.each().get(0);
    assertThat(caught.rule()).isEqualTo("R101");
    assertThat(caught.token()).startsWith("SP1.");
    assertThat(caught.commands()).isBetween(1, 14);
    assertThat(caught.seconds()).isPositive();
    assertThat(out.toString()).contains("these settings catch 1 of 1");
    assertThat(Records.ofRun(List.of(), mutants)).isEqualTo(Verdict.PASS);
  }

  @Test
  void a_mutant_that_is_missed_is_named_and_makes_the_run_violated() throws Exception {
    Mutant none =
        new Mutant(
            "ledger-without-mistake",
            List.of("D04"),
            "nothing is wrong",
            Rule.R101,
            Gallery.originals().get(0).make());

    RunRecord.MutantsRecord mutants = prove(none);

    assertThat(mutants.missed()).containsExactly("ledger-without-mistake");
    assertThat(out.toString())
        .contains("these settings catch 0 of 1", "missed: ledger-without-mistake, which R101");
    assertThat(Records.ofRun(List.of(), mutants)).isEqualTo(Verdict.VIOLATED);
  }
}
