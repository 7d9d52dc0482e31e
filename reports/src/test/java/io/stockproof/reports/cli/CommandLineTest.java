package io.stockproof.reports.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stockproof.reports.html.Browser;
import io.stockproof.verification.IssuanceContract;
import io.stockproof.verification.Subject;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.subjects.Subjects;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandLineTest extends RunsCommands {

  @Test
  void help_tells_a_newcomer_where_to_start() {
    assertThat(execute("--help")).isZero();
    assertThat(out.toString()).contains("Start with:", "verify", "list", "Exit codes");
  }

  @Test
  void version_is_told() {
    assertThat(execute("--version")).isZero();
    assertThat(out.toString()).contains("stockproof ");
  }

  @Test
  void an_unknown_subject_is_named_with_the_one_probably_meant() {
    assertThat(execute("verify", "lua-gat")).isEqualTo(2);
    saysInOneLine("'lua-gat'", "did you mean 'lua-gate'?", "no-control");
  }

  @Test
  void an_unknown_option_is_named_with_the_one_probably_meant() {
    assertThat(execute("verify", "--enviroment", "embedded")).isEqualTo(2);
    saysInOneLine("'--enviroment'", "did you mean '--environment'?", "--seed");
  }

  @Test
  void an_unknown_command_is_named_with_the_one_probably_meant() {
    assertThat(execute("verfy")).isEqualTo(2);
    saysInOneLine("'verfy'", "did you mean 'verify'?", "list");
  }

  @Test
  void bad_values_are_named_with_what_is_allowed() {
    assertThat(execute("verify", "--effort", "deeep")).isEqualTo(2);
    saysInOneLine("--effort", "'deeep'", "quick, standard, deep");
  }

  @Test
  void a_bad_time_is_named_with_its_form() {
    assertThat(execute("verify", "--budget", "30")).isEqualTo(2);
    saysInOneLine("--budget", "'30'", "30s");
  }

  @Test
  void a_bad_seed_is_named() {
    assertThat(execute("verify", "--seed", "x")).isEqualTo(2);
    saysInOneLine("--seed", "x");
  }

  @Test
  void json_into_a_folder_that_is_not_there_is_refused_before_anything_starts() {
    assertThat(execute("verify", "--json", "/no/such/folder/run.json")).isEqualTo(2);
    saysInOneLine("--json", "/no/such/folder/run.json");
  }

  @Test
  void a_report_where_no_folder_can_be_is_refused_before_anything_starts(@TempDir Path folder)
      throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    String below = file.resolve("report").toString();

    assertThat(execute("verify", "--report", below)).isEqualTo(2);
    saysInOneLine("--report", below);
  }

  @Test
  void what_is_not_there_yet_is_not_accepted() {
    assertThat(execute("compare", "no-control")).isEqualTo(2);
  }

  @Test
  void subjects_and_rules_are_listed() {
    assertThat(execute("list", "subjects")).isZero();
    assertThat(out.toString()).contains("no-control", "stockproof", "from 001 §1, 004 v1");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
    assertThat(execute("list", "rules")).isZero();
    assertThat(out.toString()).contains("R101", "R701");
    assertThat(execute("list", "faults")).isZero();
    assertThat(out.toString())
        .contains("lost-before", "crash", "lease-expiry", "rebuild", "redis-freeze");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void mutants_are_listed_with_their_rules_and_cases_in_80_columns() {
    assertThat(execute("list", "mutants")).isZero();
    assertThat(out.toString()).contains("ledger-lost-update", "caught by R103", "D02");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void luck_is_tried_beside_a_proof_only() {
    assertThat(execute("verify", "--luck")).isEqualTo(2);
    saysInOneLine("--luck", "--prove");
  }

  @Test
  void a_unique_key_is_added_by_option_and_kept_in_the_token(@TempDir Path folder)
      throws Exception {
    Path json = folder.resolve("run.json");

    assertThat(
            execute(
                "explore",
                "atomic-update",
                "--unique",
                "--requests",
                "A,A",
                "--stock",
                "2",
                "--environment",
                "embedded",
                "--json",
                json.toString()))
        .as(err.toString() + out)
        .isEqualTo(1);

    assertThat(out.toString()).contains("atomic-update+unique", "R202 no unit leaked  VIOLATED");
    String token = "";
    for (JsonNode rule :
        new ObjectMapper().readTree(json.toFile()).path("subjects").path(0).path("rules")) {
      token = rule.path("id").asText().equals("R202") ? rule.path("token").asText() : token;
    }
    assertThat(execute("replay", token, "--environment", "embedded")).isEqualTo(1);
  }

  @Test
  void a_run_prints_verdicts_and_writes_json_and_a_page(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("run.json");
    // Stays after the build, for whoever built it to look at.
    Path report = Path.of("target", "stockproof").toAbsolutePath();

    int code =
        execute(
            "verify",
            "no-control",
            "--effort",
            "quick",
            "--environment",
            "embedded",
            "--json",
            json.toString(),
            "--report",
            report.toString());

    assertThat(code).as(err.toString() + out).isZero();
    assertThat(out.toString()).contains("no-control", "AS_EXPECTED", "R101 " + Rule.R101.title());
    assertThat(out.toString()).contains("written: " + json);
    assertThat(out.toString().strip()).endsWith("report: " + report.resolve("index.html"));
    assertThat(out.toString().lines())
        .allMatch(line -> line.length() <= 80 || line.matches("(written: |report: |  again: ).*"));
    JsonNode run = new ObjectMapper().readTree(json.toFile());
    assertThat(run.path("version").asInt()).isEqualTo(1);
    assertThat(run.path("command").asText()).isEqualTo("verify");
    assertThat(run.path("verdict").asText()).isEqualTo("PASS");
    assertThat(run.path("environment").path("kind").asText()).isEqualTo("embedded");
    JsonNode subject = run.path("subjects").path(0);
    assertThat(subject.path("verdict").asText()).isEqualTo("AS_EXPECTED");
    assertThat(subject.path("expected").toString()).contains("R101");
    assertThat(subject.path("instances").asInt()).isEqualTo(2);
    assertThat(subject.path("rules").path(0).path("id").asText()).isEqualTo("R101");
    assertThat(subject.path("interleavings").asLong()).isPositive();
    assertThat(subject.path("commandsIntercepted").asLong()).isPositive();
    assertThat(subject.path("goals").path("lock-wait").isNumber()).isTrue();
    assertThat(subject.path("rules").path(0).path("token").asText()).startsWith("SP1.");
    assertThat(report.resolve("run.json")).hasSameTextualContentAs(json);
    pageIsRight(report.resolve("index.html"));
  }

  private static void pageIsRight(Path page) throws Exception {
    assertThat(page).content().contains("the books part here", "./stockproof replay SP1.");
    assertThat(Files.readString(page)).doesNotContainPattern("://[^/\\s]*@|(?i)password=");
    System.out.println("a page of a real run: " + page);
    Optional<Browser> opened = Browser.open();
    if (opened.isPresent()) {
      try (Browser browser = opened.get()) {
        for (int width : new int[] {400, 1280}) {
          browser.look(page, width, false);
          assertThat(browser.overflow()).isLessThanOrEqualTo(0);
          assertThat(browser.count("table.matrix tr[data-rule]")).isEqualTo(Rule.values().length);
          assertThat(browser.count("figure svg.lanes")).isPositive();
        }
        assertThat(browser.console()).isEmpty();
        assertThat(browser.requests()).isEmpty();
      }
    }
  }

  @Test
  void explore_finds_the_oversell_and_replay_shows_it_again(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("run.json");

    assertThat(
            execute(
                "explore", "no-control", "--environment", "embedded", "--json", json.toString()))
        .as(err.toString() + out)
        .isEqualTo(1);

    assertThat(out.toString())
        .contains(
            "R101", "all interleavings", "books part here", "again: ./stockproof replay SP1.");
    JsonNode rule =
        new ObjectMapper().readTree(json.toFile()).path("subjects").path(0).path("rules").path(0);
    assertThat(rule.path("id").asText()).isEqualTo("R101");
    assertThat(rule.path("foundAtRun").asInt()).isBetween(1, 5);
    assertThat(rule.path("users").asInt()).isEqualTo(2);
    assertThat(rule.path("commands").asInt()).isLessThanOrEqualTo(8);
    String token = rule.path("token").asText();

    assertThat(execute("replay", token, "--environment", "embedded", "--times", "100"))
        .isEqualTo(1);
    assertThat(out.toString()).contains("the same 100 of 100 times", "R101");

    Path report = folder.resolve("report");
    assertThat(execute("replay", token, "--environment", "embedded", "--report", report.toString()))
        .isEqualTo(1);
    assertThat(out.toString().strip()).endsWith("report: " + report.resolve("index.html"));
    assertThat(report.resolve("index.html")).content().contains(token, "the books part here");

    assertThat(
            execute(
                "replay",
                token,
                "--environment",
                "embedded",
                "--subject",
                OtherSubject.class.getName()))
        .isEqualTo(3);
    assertThat(out.toString()).contains("diverged at step 1: expected SELECT, saw EVALSHA");
  }

  /** Another subject than the one of the token; named by the class of its contract. */
  static final class OtherSubject extends IssuanceContract {
    @Override
    protected Subject subject() {
      return Subjects.named("stockproof").orElseThrow().make().get();
    }
  }

  @Test
  void wrong_words_for_a_search_are_named_with_what_is_allowed() {
    assertThat(execute("explore", "no-contrl")).isEqualTo(2);
    saysInOneLine("no-contrl", "did you mean 'no-control'?");
    assertThat(execute("explore")).isEqualTo(2);
    assertThat(execute("explore", "no-control", "--faults", "lsot-before")).isEqualTo(2);
    saysInOneLine("lsot-before", "lost-before");
    assertThat(execute("explore", "no-control", "--requests", "a,b")).isEqualTo(2);
    saysInOneLine("A to Z", "'a'");
    assertThat(execute("explore", "no-control", "--users", "0")).isEqualTo(2);
    assertThat(execute("explore", "no-control", "--users", "2", "--requests", "A,A")).isEqualTo(2);
    assertThat(execute("explore", "no-control", "--instances", "0")).isEqualTo(2);
    saysInOneLine("--instances must be 1 to 2", "0");
    assertThat(execute("explore", "no-control", "--users", "2", "--instances", "3")).isEqualTo(2);
    saysInOneLine("--instances must be 1 to 2", "was 3");
    assertThat(execute("explore", "no-control", "--stock", "0")).isEqualTo(2);
    assertThat(execute("explore", "no-control", "--max-faults", "1")).isEqualTo(2);
    assertThat(execute("explore", "no-control", "--faults", "all", "--max-faults", "3"))
        .isEqualTo(2);
    assertThat(execute("explore", "no-control", "--mode", "dfs")).isEqualTo(2);
    saysInOneLine("--mode", "exhaustive, random, pct");
    assertThat(execute("replay", "SP1.broken")).isEqualTo(2);
    saysInOneLine("damaged", "SP1.broken");
    assertThat(execute("replay", "hello")).isEqualTo(2);
    assertThat(execute("explore", "com.example.Missing")).isEqualTo(2);
    saysInOneLine("com.example.Missing", "--classpath");
  }
}
