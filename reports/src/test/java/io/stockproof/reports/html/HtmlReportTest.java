package io.stockproof.reports.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.reports.RunRecord;
import io.stockproof.verification.rules.Rule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as text. */
final class HtmlReportTest {

  private static final String PLAIN = "plain";

  @Test
  void everyRuleHasARowAndEverySubjectACellInIt() {
    String page = HtmlReport.render(SampleRun.of(11, PLAIN));

    assertThat(occurrences(page, "<tr data-rule=")).isEqualTo(Rule.values().length);
    assertThat(occurrences(page, "<td class=\"s-")).isEqualTo(11L * Rule.values().length);
  }

  @Test
  void aKnownBreakLooksOtherThanOneThatMustNotBe() {
    String page = HtmlReport.render(SampleRun.of(2, PLAIN));

    assertThat(page)
        .contains("R101 never more rows than stock · plain: broken, and it must not be. plain")
        .contains("R101 never more rows than stock · subject-1: broken, as it is known to be")
        .contains("subject-1: does not apply. it does not claim GATE")
        .contains("R203 gate agrees with rows at rest · plain: not reached. no gate");
  }

  @Test
  void aFailureIsShownWithItsTokenItsWaitsItsFaultsAndWhereTheBooksPart() {
    String page = HtmlReport.render(SampleRun.of(2, PLAIN));

    assertThat(page)
        .contains("./stockproof replay SP1.sample1")
        .contains("blocked by A, row coupon#1, until step 3")
        .contains("✗ late: later")
        .contains("the books part here ↑")
        .contains("stock 1 · 2 requests · 2 instances · 4 commands · 1 fault");
  }

  @Test
  void aRunThatBreaksNothingHasNoPicture() {
    RunRecord run = SampleRun.of(0, PLAIN);

    String page = HtmlReport.render(run);

    assertThat(page).contains("<h1").doesNotContain("id=\"failures\"").doesNotContain("<figure");
  }

  @Test
  void namesAndStatementsNeverBecomeMarkup() {
    String page = HtmlReport.render(SampleRun.of(5, SampleRun.HOSTILE));

    assertThat(page).contains("&lt;img").doesNotContain("<img").doesNotContain("<script>alert");
    assertThat(occurrences(page, "<script")).isEqualTo(1);
    assertThat(occurrences(page, "[\\s\"']onerror=\"")).isZero();
  }

  @Test
  void theRecordReadFromItsFileGivesTheSamePage(@TempDir Path folder) throws Exception {
    RunRecord run = SampleRun.of(3, SampleRun.HOSTILE);
    Path file = folder.resolve("run.json");
    run.writeTo(file);

    assertThat(HtmlReport.render(RunRecord.readFrom(file))).isEqualTo(HtmlReport.render(run));
  }

  @Test
  void aRecordOfAnOlderVersionIsShownWithWhatItHas(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("run.json");
    Files.writeString(
        file,
        """
        { "version": 1, "command": "verify", "seed": 42, "verdict": "PASS", "unknown": 1,
          "environment": { "kind": "embedded", "redis": "7.0.15", "database": "MariaDB 11.4.5" },
          "subjects": [ { "name": "no-control", "expected": ["R101"], "verdict": "AS_EXPECTED",
            "reason": "breaks what it is known to break", "instances": 2,
            "rules": [ { "id": "R101", "strength": "MUST", "title": "never more rows than stock",
              "verdict": "VIOLATED", "reached": true, "detail": "2 rows > total 1",
              "token": "SP1.x" } ] } ] }
        """);

    String page = HtmlReport.render(RunRecord.readFrom(file));

    assertThat(page).contains("2 rows &gt; total 1", "known break", "no-control");
  }

  @Test
  void passwordsInTheTextsOfExceptionsStandNeitherInThePageNorInTheRecord(@TempDir Path folder)
      throws Exception {
    RunRecord run =
        SampleRun.of(
            2,
            "cannot connect to redis://user:hunter2@localhost:6379 nor"
                + " jdbc:mysql://h/db?user=root&password=hunter2");
    Path json = folder.resolve("run.json");
    Path page = folder.resolve("index.html");

    run.writeTo(json);
    HtmlReport.write(run, page);

    assertThat(json).content().contains("redis://…@localhost:6379").doesNotContain("hunter2");
    assertThat(page).content().contains("redis://…@localhost:6379").doesNotContain("hunter2");
  }

  @Test
  void aPageWithAllSubjectsIsSmall() {
    assertThat(HtmlReport.render(SampleRun.of(11, PLAIN)).length()).isLessThan(1_000_000);
  }

  private static long occurrences(String page, String pattern) {
    return Pattern.compile(pattern).matcher(page).results().count();
  }
}
