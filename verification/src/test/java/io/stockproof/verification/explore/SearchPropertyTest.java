package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.rules.Finding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsCoverage;
import net.jqwik.api.statistics.StatisticsReport;
import net.jqwik.api.statistics.StatisticsReport.StatisticsReportMode;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Scenarios, orders and faults drawn and shrunk by jqwik. */
final class SearchPropertyTest {

  private static final Subject CORE = SearchesRealServers.builtIn("stockproof");
  private static final Explorer EXPLORER = SearchesRealServers.explorerOf(CORE);

  @BeforeContainer
  static void open() {
    SearchesRealServers.ENVIRONMENT.durable(false);
  }

  @AfterContainer
  static void close() throws Exception {
    EXPLORER.close();
    CORE.close();
    SearchesRealServers.ENVIRONMENT.durable(true);
  }

  @Property(tries = 30)
  void theCoreBreaksNoRuleInCalm(@ForAll("calmRuns") Drawn drawn) throws Exception {
    Explorer.Played played = EXPLORER.play(drawn);

    assertThat(played.findings()).as("did not stall").isNotEmpty();
    assertThat(played.findings())
        .as(() -> played.run().lanes(120) + "\n" + played.token().text())
        .extracting(Finding::verdict)
        .doesNotContain(Verdict.VIOLATED);
  }

  @Property(tries = 1000)
  @StatisticsReport(StatisticsReportMode.OFF)
  void scenariosAskNoMoreThanTheyAreAllowed(@ForAll("scenarios") Scenario scenario) {
    Statistics.label("requests")
        .collect(scenario.requests().size())
        .coverage(seen -> eachOf(seen, 1, 4));
    assertThat(scenario.requests()).hasSizeBetween(1, 4);
    assertThat(scenario.total()).isBetween(1L, 3L);
    assertThat(scenario.instances()).isBetween(1, 3);
  }

  @Property(tries = 1000)
  @StatisticsReport(StatisticsReportMode.OFF)
  void faultsAreThoseThatWereAskedForAndNoneStrikesTwice(@ForAll("faultyRuns") Drawn drawn) {
    Statistics.label("faults").collect(drawn.faults().size()).coverage(seen -> eachOf(seen, 0, 2));
    assertThat(drawn.faults()).hasSizeLessThanOrEqualTo(2);
    Set<List<Integer>> places = new HashSet<>();
    for (Token.Fault fault : drawn.faults()) {
      assertThat(fault.fault()).isIn(CommandFault.CRASH, CommandFault.ERROR_1213);
      assertThat(places.add(List.of(fault.actor(), fault.command()))).isTrue();
    }
  }

  private static void eachOf(StatisticsCoverage seen, int least, int most) {
    for (int number = least; number <= most; number++) {
      seen.check(number).count(times -> times > 0);
    }
  }

  @Example
  void T01_aPropertyThatMustFailFailsAndItsSampleIsShrunkToTwoRequests() {
    List<TestExecutionResult> results = new ArrayList<>();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(OversellingProperty.class))
                .filters(EngineFilter.includeEngines("jqwik"))
                .build(),
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                  results.add(result);
                }
              }
            });

    assertThat(results).hasSize(1);
    assertThat(results.get(0).getStatus()).isEqualTo(TestExecutionResult.Status.FAILED);
    String message = String.valueOf(results.get(0).getThrowable().orElseThrow().getMessage());
    assertThat(message)
        .startsWith("R101 ")
        .contains("VIOLATED  2 rows > total 1")
        .contains("step  A (user ")
        .contains("books part here ↑");
    String again = "again: ./stockproof replay ";
    Token token = Token.parse(message.substring(message.indexOf(again) + again.length()));
    assertThat(token.subject()).isEqualTo("no-control");
    assertThat(token.scenario().requests()).hasSize(2);
    assertThat(token.faults()).isEmpty();
  }

  @Provide
  static Arbitrary<Scenario> scenarios() {
    return SearchArbitraries.scenarios(4, 3);
  }

  @Provide
  static Arbitrary<Drawn> calmRuns() {
    return SearchArbitraries.runs(SearchArbitraries.scenarios(3, 3), Set.of(), 0);
  }

  @Provide
  static Arbitrary<Drawn> faultyRuns() {
    return SearchArbitraries.runs(
        SearchArbitraries.scenarios(3, 3), Set.of(CommandFault.CRASH, CommandFault.ERROR_1213), 2);
  }
}
