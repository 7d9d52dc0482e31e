package io.stockproof.verification;

import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import java.util.List;
import java.util.Set;

/**
 * What is said of a subject at the end.
 *
 * @param verdict of the subject
 * @param reason one line
 * @param rules one finding a rule, in order of their ids
 * @param surprises the rules among them that were broken where the subject is not known to break
 *     them
 */
public record SubjectVerdict(
    Verdict verdict, String reason, List<Finding> rules, Set<Rule> surprises) {

  /** Copies the collections. */
  public SubjectVerdict {
    rules = List.copyOf(rules);
    surprises = Set.copyOf(surprises);
  }

  /** Rules that were broken, expected or not. */
  public List<Finding> violations() {
    return rules.stream().filter(finding -> finding.verdict() == Verdict.VIOLATED).toList();
  }
}
