package io.stockproof.verification.explore;

import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** A property that does not hold; {@link SearchPropertyTest} runs it and looks at how it fails. */
final class OversellingProperty {

  private static final Subject SUBJECT = SearchesRealServers.builtIn("no-control");
  private static final Explorer EXPLORER = SearchesRealServers.explorerOf(SUBJECT);

  @AfterContainer
  static void close() throws Exception {
    EXPLORER.close();
    SUBJECT.close();
  }

  @Property(tries = 200)
  void neverMoreRowsThanStock(@ForAll("calmRuns") Drawn drawn) throws Exception {
    Explorer.Played played = EXPLORER.play(drawn);
    for (Finding finding : played.findings()) {
      if (finding.rule() == Rule.R101 && finding.verdict() == Verdict.VIOLATED) {
        throw new AssertionError(
            FailureText.of(finding.rule(), finding.detail(), played.token(), played.run(), 100));
      }
    }
  }

  @Provide
  static Arbitrary<Drawn> calmRuns() {
    return SearchArbitraries.runs(SearchArbitraries.scenarios(4, 2), Set.of(), 0);
  }
}
