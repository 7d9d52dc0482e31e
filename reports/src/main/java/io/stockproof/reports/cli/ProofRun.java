package io.stockproof.reports.cli;

import io.stockproof.reports.RunRecord;
import io.stockproof.verification.FirstViolation;
import io.stockproof.verification.SubjectVerification;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.explore.Exploration;
import io.stockproof.verification.gallery.Luck;
import io.stockproof.verification.gallery.Mutant;
import io.stockproof.verification.gallery.Proof;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs the gallery with the settings of a verification, and records what was caught. */
final class ProofRun {
  private final Environment environment;
  private final SubjectVerification.Effort effort;
  private final long seed;
  private final boolean luck;
  private final List<Mutant> mutants;

  ProofRun(
      List<Mutant> mutants,
      Environment environment,
      SubjectVerification.Effort effort,
      long seed,
      boolean luck) {
    this.mutants = List.copyOf(mutants);
    this.environment = environment;
    this.effort = effort;
    this.seed = seed;
    this.luck = luck;
  }

  /** How often the progress is told. */
  int steps() {
    return mutants.size() * (luck ? 2 : 1);
  }

  RunRecord.MutantsRecord run(Progress progress) throws Exception {
    Proof proof =
        Proof.of(mutants, environment, effort, seed, name -> progress.step("mutant " + name));
    Map<Mutant, Integer> lucky = luck ? tryLuck(progress) : Map.of();
    List<RunRecord.MutantRecord> each = new ArrayList<>();
    proof.trials().forEach(trial -> each.add(record(trial, lucky.get(trial.mutant()))));
    return new RunRecord.MutantsRecord(
        mutants.size(),
        proof.caught().size(),
        proof.medianSeconds(),
        proof.slowestSeconds(),
        proof.missed().stream().map(trial -> trial.mutant().name()).toList(),
        luck ? (int) lucky.values().stream().filter(run -> run > 0).count() : null,
        each);
  }

  private Map<Mutant, Integer> tryLuck(Progress progress) throws Exception {
    Map<Mutant, Integer> foundAt = new HashMap<>();
    for (Mutant mutant : mutants) {
      progress.step("threads and luck, mutant " + mutant.name());
      foundAt.put(mutant, Luck.runThatFinds(mutant, environment, seed));
    }
    return foundAt;
  }

  private static RunRecord.MutantRecord record(Proof.Trial trial, @Nullable Integer luckyRun) {
    Mutant mutant = trial.mutant();
    FirstViolation caught = trial.caught();
    Exploration.@Nullable Witness witness = caught == null ? null : caught.witness();
    return new RunRecord.MutantRecord(
        mutant.name(),
        mutant.cases(),
        mutant.rule().id(),
        caught != null,
        trial.seconds(),
        caught == null ? null : caught.where(),
        caught == null ? trial.failure() : caught.detail(),
        witness == null ? null : witness.token().text(),
        witness == null ? null : witness.run().users(),
        witness == null ? null : witness.run().requests(),
        witness == null ? null : witness.run().commands(),
        witness == null ? null : witness.run().faults(),
        luckyRun);
  }
}
