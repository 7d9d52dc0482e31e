package io.stockproof.verification.explore;

import io.stockproof.verification.Verdict;
import io.stockproof.verification.rules.Finding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run made again from its token.
 *
 * @param run to look at
 * @param findings what the rules say of it
 * @param divergence where it left the token's way, for example {@code diverged at step 7: expected
 *     EVALSHA, saw GET}; null if it did not
 */
public record Replay(Exploration.Picture run, List<Finding> findings, @Nullable String divergence) {

  /** Copies the list. */
  public Replay {
    findings = List.copyOf(findings);
  }

  /**
   * VIOLATED if a rule broke again; INCONCLUSIVE if the run diverged: it never passes by accident.
   */
  public Verdict verdict() {
    if (divergence != null) {
      return Verdict.INCONCLUSIVE;
    }
    return findings.stream().anyMatch(f -> f.verdict() == Verdict.VIOLATED)
        ? Verdict.VIOLATED
        : Verdict.PASS;
  }

  static Replay of(Token token, Run run, List<Finding> findings) {
    return new Replay(
        new Exploration.Picture(run, Explorer.firstBreak(findings)),
        findings,
        divergence(token, run));
  }

  private static @Nullable String divergence(Token token, Run run) {
    String steps = divergingStep(token, run);
    long struck = run.steps().stream().filter(s -> s.fault() != null).count();
    if (steps == null && run.stall() != null) {
      return "the run stalled: " + run.stall();
    }
    return steps == null && struck < token.faults().size()
        ? "diverged: only %d of %d faults struck".formatted(struck, token.faults().size())
        : steps;
  }

  private static @Nullable String divergingStep(Token token, Run run) {
    List<Step> steps = run.steps();
    for (int i = 0; i < Math.max(steps.size(), token.steps().size()); i++) {
      if (i >= steps.size()) {
        return "diverged at step %d: expected %s, saw the end%s"
            .formatted(
                i + 1,
                token.steps().get(i).name(),
                run.stall() == null ? "" : " (stalled: " + run.stall() + ")");
      }
      Step saw = steps.get(i);
      if (i >= token.steps().size()) {
        return "diverged at step %d: expected the end, saw %s".formatted(i + 1, saw.name());
      }
      Token.At expected = token.steps().get(i);
      if (expected.actor() != saw.actor() || expected.hash() != saw.hash()) {
        String of = expected.actor() == saw.actor() ? "" : " of " + Drawing.letter(saw.actor());
        boolean sameName = expected.name().equals(saw.name()) && of.isEmpty();
        return "diverged at step %d: expected %s, saw %s%s"
            .formatted(
                i + 1,
                expected.name() + (of.isEmpty() ? "" : " of " + Drawing.letter(expected.actor())),
                (sameName ? "another " : "") + saw.name() + of,
                sameName && saw.words() != null ? ": " + saw.words().statement() : "");
      }
    }
    return null;
  }
}
