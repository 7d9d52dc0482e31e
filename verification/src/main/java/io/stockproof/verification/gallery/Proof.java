package io.stockproof.verification.gallery;

import io.stockproof.verification.FirstViolation;
import io.stockproof.verification.SubjectVerification;
import io.stockproof.verification.environment.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows that a verification can fail: every mutant is verified as a subject of the user's is, with
 * the same searches, budgets and servers, until the rule that must catch it is broken. Used by one
 * thread.
 *
 * @param trials one a mutant, in the order of the gallery
 */
public record Proof(List<Trial> trials) {
  private static final double NANOS = 1e9;

  /** Copies the list. */
  public Proof {
    trials = List.copyOf(trials);
  }

  /**
   * One mutant.
   *
   * @param mutant which
   * @param caught how its rule was broken; null if it was not
   * @param failure why it could not be verified at all; null if it could
   * @param seconds until it was caught and its run was made small, or until there was no more to do
   */
  public record Trial(
      Mutant mutant, @Nullable FirstViolation caught, @Nullable String failure, double seconds) {}

  /**
   * Verifies the mutants.
   *
   * @param effort what is done for a subject
   * @param progress told the name of each mutant before its turn
   * @throws InterruptedException if somebody wants to stop
   */
  public static Proof of(
      List<Mutant> mutants,
      Environment environment,
      SubjectVerification.Effort effort,
      long seed,
      Consumer<String> progress)
      throws InterruptedException {
    SubjectVerification verification =
        new SubjectVerification(environment, effort, seed, what -> {});
    List<Trial> trials = new ArrayList<>();
    for (Mutant mutant : mutants) {
      progress.accept(mutant.name());
      trials.add(trial(mutant, verification));
    }
    return new Proof(trials);
  }

  private static Trial trial(Mutant mutant, SubjectVerification verification)
      throws InterruptedException {
    long begin = System.nanoTime();
    FirstViolation caught = null;
    String failure = null;
    try {
      caught = verification.firstViolation(mutant.make(), mutant.rule());
    } catch (InterruptedException stop) {
      throw stop;
    } catch (Exception unusable) {
      failure = unusable.toString();
    }
    return new Trial(mutant, caught, failure, (System.nanoTime() - begin) / NANOS);
  }

  /** Trials whose mutant was caught by its rule. */
  public List<Trial> caught() {
    return trials.stream().filter(trial -> trial.caught() != null).toList();
  }

  /** Trials whose mutant was not: with these settings, green says nothing of its rule. */
  public List<Trial> missed() {
    return trials.stream().filter(trial -> trial.caught() == null).toList();
  }

  /** Median time of a mutant, in seconds; 0 without mutants. */
  public double medianSeconds() {
    double[] sorted = trials.stream().mapToDouble(Trial::seconds).sorted().toArray();
    if (sorted.length == 0) {
      return 0;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Longest time of a mutant, in seconds; 0 without mutants. */
  public double slowestSeconds() {
    return trials.stream().mapToDouble(Trial::seconds).max().orElse(0);
  }
}
