package io.stockproof.verification;

import io.stockproof.verification.rules.Finding;
import java.util.List;

/**
 * What is said of a subject at the end.
 *
 * @param verdict of the subject
 * @param reason one line
 * @param rules one finding a rule, in order of their ids
 */
public record SubjectVerdict(Verdict verdict, String reason, List<Finding> rules) {

  /** Copies the list. */
  public SubjectVerdict {
    rules = List.copyOf(rules);
  }

  /** Rules that were broken, expected or not. */
  public List<Finding> violations() {
    return rules.stream().filter(finding -> finding.verdict() == Verdict.VIOLATED).toList();
  }
}
