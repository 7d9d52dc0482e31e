package io.stockproof.reports.html;

import io.stockproof.reports.RunRecord;
import io.stockproof.reports.RunRecord.RuleRecord;
import io.stockproof.reports.RunRecord.SubjectRecord;
import io.stockproof.verification.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The verdict of a run in plain words.
 *
 * @param tone {@code pass}, {@code violated} or {@code inconclusive}
 * @param title the verdict
 * @param sentences what was verified, on what, and how it came out
 */
public record Headline(String tone, String title, List<String> sentences) {

  private static final int MOST_IDS = 6;

  static Headline of(RunRecord run) {
    List<String> sentences = new ArrayList<>();
    sentences.add(where(run));
    for (Verdict verdict : Verdict.values()) {
      List<SubjectRecord> alike =
          run.subjects().stream().filter(subject -> subject.verdict() == verdict).toList();
      if (!alike.isEmpty() && run.subjects().size() > 1) {
        sentences.add(alike(verdict, alike));
      }
    }
    if (run.subjects().size() == 1) {
      SubjectRecord only = run.subjects().get(0);
      sentences.add(
          only.verdict() == Verdict.AS_EXPECTED
              ? "A baseline, here to be seen failing: it breaks " + ids(only) + "."
              : sentence(only.reason()));
    }
    return new Headline(tone(run.verdict()), title(run), sentences);
  }

  private static String tone(Verdict verdict) {
    return switch (verdict) {
      case PASS, AS_EXPECTED -> "pass";
      case VIOLATED -> "violated";
      case INCONCLUSIVE -> "inconclusive";
    };
  }

  private static String title(RunRecord run) {
    List<SubjectRecord> subjects = run.subjects();
    if (subjects.size() == 1) {
      SubjectRecord only = subjects.get(0);
      return switch (only.verdict()) {
        case PASS -> only.name() + " keeps its rules.";
        case AS_EXPECTED -> only.name() + " breaks what it is known to break.";
        case VIOLATED -> only.name() + " breaks " + ids(only) + ".";
        case INCONCLUSIVE -> only.name() + ": no conclusion.";
      };
    }
    List<String> broken =
        subjects.stream()
            .filter(subject -> subject.verdict() == Verdict.VIOLATED)
            .map(SubjectRecord::name)
            .toList();
    return switch (run.verdict()) {
      case PASS, AS_EXPECTED -> "Every subject did what it should.";
      case VIOLATED ->
          broken.size() == 1
              ? broken.get(0) + " breaks what it must keep."
              : broken.size() + " subjects break what they must keep.";
      case INCONCLUSIVE -> "No rule was broken that must hold, but not all could be decided.";
    };
  }

  private static String ids(SubjectRecord subject) {
    List<String> ids =
        subject.rules().stream()
            .filter(rule -> rule.verdict() == Verdict.VIOLATED)
            .map(RuleRecord::id)
            .toList();
    return ids.size() > MOST_IDS ? ids.size() + " rules" : String.join(", ", ids);
  }

  private static String where(RunRecord run) {
    String what =
        run.subjects().size() == 1
            ? run.subjects().get(0).name()
            : run.subjects().size() + " subjects";
    String did =
        switch (run.command()) {
          case "verify" -> "verified";
          case "explore" -> "explored";
          case "replay" -> "made to run again";
          case "chaos" -> "run with faults";
          default -> "run";
        };
    return "%s %s %s on real servers: Redis %s and %s."
        .formatted(
            capital(what),
            run.subjects().size() == 1 ? "was" : "were",
            did,
            run.environment().redis(),
            run.environment().database());
  }

  private static String alike(Verdict verdict, List<SubjectRecord> alike) {
    String names = alike.stream().map(SubjectRecord::name).collect(Collectors.joining(", "));
    boolean one = alike.size() == 1;
    return switch (verdict) {
      case PASS -> names + (one ? " keeps" : " keep") + " every rule that was reached.";
      case AS_EXPECTED ->
          one
              ? names + ", a baseline, breaks exactly what it is known to break."
              : "%d baselines break exactly what they are known to break: %s."
                  .formatted(alike.size(), names);
      case VIOLATED ->
          alike.stream().map(s -> s.name() + " " + s.reason()).collect(Collectors.joining("; "))
              + ".";
      case INCONCLUSIVE ->
          alike.stream().map(s -> s.name() + ": " + s.reason()).collect(Collectors.joining("; "))
              + ".";
    };
  }

  private static String sentence(String text) {
    return capital(text) + (text.endsWith(".") || text.isEmpty() ? "" : ".");
  }

  /** Names of subjects keep their case. */
  private static String capital(String text) {
    return text.isEmpty() || text.indexOf('-') >= 0
        ? text
        : Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
