package io.stockproof.reports.html;

import io.stockproof.reports.RunRecord;
import io.stockproof.reports.RunRecord.EnvironmentRecord;
import io.stockproof.reports.RunRecord.MutantsRecord;
import io.stockproof.reports.RunRecord.PictureRecord;
import io.stockproof.reports.RunRecord.RuleRecord;
import io.stockproof.reports.RunRecord.SearchRecord;
import io.stockproof.reports.RunRecord.SpecificationRecord;
import io.stockproof.reports.RunRecord.SubjectRecord;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.explore.Drawing;
import io.stockproof.verification.explore.Drawing.Kind;
import io.stockproof.verification.explore.Drawing.Lane;
import io.stockproof.verification.explore.Drawing.Mark;
import io.stockproof.verification.explore.Drawing.Wait;
import io.stockproof.verification.rules.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A record with one of everything that a page has to show. */
final class SampleRun {

  /** A name that must not become markup. */
  static final String HOSTILE = "<script>alert(\"x\")</script>'&<img src=x onerror=alert(1)>";

  private SampleRun() {}

  /** Every rule, and so many subjects that break one, with every kind of cell and mark. */
  static RunRecord of(int subjects, String text) {
    List<SubjectRecord> records = new ArrayList<>();
    for (int i = 0; i < subjects; i++) {
      records.add(subject(i == 0 ? text : "subject-" + i, i, text));
    }
    return new RunRecord(
        RunRecord.VERSION,
        "verify",
        42,
        Verdict.VIOLATED,
        new EnvironmentRecord("embedded", "7.0.15", "MariaDB 11.4.5"),
        records,
        "2026-11-30T12:00:00Z",
        61.2,
        specification(),
        new MutantsRecord(40, 39, 0.6, 4.2, List.of(text), 21, List.of()),
        null);
  }

  static List<SpecificationRecord> specification() {
    return Arrays.stream(Rule.values())
        .map(
            rule ->
                new SpecificationRecord(
                    rule.id(),
                    rule.strength().name(),
                    rule.title(),
                    rule.statement(),
                    rule.intent(),
                    rule.capability() == null ? null : rule.capability().name(),
                    rule.means() == Rule.Means.NOT_YET ? null : "search"))
        .toList();
  }

  private static SubjectRecord subject(String name, int number, String text) {
    boolean known = number % 2 == 1;
    Drawing drawing = drawing(number % 4 + 1, text);
    String token = "SP1.sample" + number;
    return new SubjectRecord(
        name,
        known ? List.of("R101") : List.of(),
        known ? Verdict.AS_EXPECTED : Verdict.VIOLATED,
        known ? "breaks what it is known to break" : "broke R101",
        2,
        10,
        1_234L,
        321L,
        false,
        88.5,
        9_876L,
        Map.of("lock-wait", 12L, "two-past-gate", 0L, "crash", 700L),
        List.of(
            rule(Rule.R101, Verdict.VIOLATED, true, text, token, known, 3L),
            rule(Rule.R102, Verdict.PASS, true, "8 states", null, null, null),
            rule(Rule.R202, Verdict.INCONCLUSIVE, true, text, null, null, null),
            rule(Rule.R203, Verdict.INCONCLUSIVE, false, "no gate", null, null, null),
            rule(Rule.R206, Verdict.VIOLATED, true, "2 of 3 sold", null, false, null)),
        text,
        "this test",
        14.0,
        55L,
        List.of(new SearchRecord("A, B", 1, 2, 1_234, 321, 55, false, List.of(text), 14.0)),
        List.of(new PictureRecord(token, drawing)));
  }

  private static RuleRecord rule(
      Rule rule,
      Verdict verdict,
      boolean reached,
      String detail,
      @Nullable String token,
      @Nullable Boolean known,
      @Nullable Long step) {
    boolean found = token != null;
    return new RuleRecord(
        rule.id(),
        rule.strength().name(),
        rule.title(),
        verdict,
        reached,
        detail,
        token,
        found ? 7L : null,
        found ? 2 : null,
        found ? 4 : null,
        found ? 1 : null,
        found ? 0.4 : null,
        known,
        step);
  }

  /** So many requests; a wait, a fault, a late delivery and a step at which the books part. */
  static Drawing drawing(int requests, String text) {
    List<Lane> lanes = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      lanes.add(new Lane(Character.toString('A' + i), text, false, i, false, "ISSUED", 4));
    }
    lanes.add(new Lane(Character.toString('A' + requests), "", false, 0, true, null, -1));
    int last = requests - 1;
    Drawing.Books empty = new Drawing.Books(1L, 0, 0, 0, 0L);
    Drawing.Books sold = new Drawing.Books(0L, 1, 0, 2, 1L);
    String statement = "INSERT INTO issued_coupon (coupon_id, user_id) VALUES (1, '" + text + "')";
    List<Mark> marks =
        List.of(
            new Mark(
                1,
                0,
                Kind.REDIS,
                "EVALSHA stock",
                "EVALSHA " + text,
                "1",
                null,
                null,
                1,
                List.of(),
                empty),
            new Mark(
                2,
                last,
                Kind.DATABASE,
                "INSERT issued_coupon",
                statement,
                null,
                null,
                null,
                3,
                List.of(new Wait(last, 0, "coupon#1")),
                empty),
            new Mark(
                3, 0, Kind.DATABASE, "COMMIT", "COMMIT", null, "late", "later", 3, List.of(), sold),
            new Mark(
                4,
                requests,
                Kind.DATABASE,
                "COMMIT",
                "COMMIT",
                text,
                null,
                null,
                4,
                List.of(),
                sold));
    return new Drawing(
        1,
        requests,
        lanes,
        marks,
        empty,
        3,
        sold,
        List.of(new Drawing.Probe(text, true, "SOLD_OUT")),
        null);
  }
}
