package io.stockproof.reports.cli;

import io.stockproof.reports.RunRecord;
import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.explore.Drawing;
import io.stockproof.verification.explore.Exploration;
import io.stockproof.verification.rules.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a reader of a record needs beside the verdicts: the rules, the searches, the pictures. */
final class RecordDetails {
  private RecordDetails() {}

  /** Every rule there is. */
  static List<RunRecord.SpecificationRecord> specification() {
    return Arrays.stream(Rule.values())
        .map(
            rule ->
                new RunRecord.SpecificationRecord(
                    rule.id(),
                    rule.strength().name(),
                    rule.title(),
                    rule.statement(),
                    rule.intent(),
                    rule.capability() == null ? null : rule.capability().name(),
                    judgedBy(rule)))
        .toList();
  }

  private static @Nullable String judgedBy(Rule rule) {
    return switch (rule.means()) {
      case STEPWISE_AND_STRESS -> "search and stress";
      case STEPWISE -> "search";
      case STRESS -> "stress";
      case CAMPAIGN, NOT_YET -> null;
    };
  }

  static List<RunRecord.SearchRecord> searches(List<Exploration> searches) {
    return searches.stream()
        .map(
            search ->
                new RunRecord.SearchRecord(
                    letters(search.scenario()),
                    search.scenario().total(),
                    search.scenario().instances(),
                    search.interleavings(),
                    search.classes(),
                    search.faultedRuns(),
                    search.exhaustive(),
                    search.limits(),
                    search.seconds()))
        .toList();
  }

  /** A letter a user, as {@code --requests} takes them. */
  private static String letters(Scenario scenario) {
    List<String> users = scenario.requests().stream().map(Request::userId).distinct().toList();
    return scenario.requests().stream()
        .map(request -> Character.toString((char) ('A' + users.indexOf(request.userId()))))
        .collect(Collectors.joining(", "));
  }

  /**
   * Each run once, whatever the number of rules that it breaks; its books part where the first of
   * them was broken.
   */
  static List<RunRecord.PictureRecord> pictures(Stream<Exploration.@Nullable Witness> witnesses) {
    Map<String, Drawing> drawings = new LinkedHashMap<>();
    witnesses
        .filter(Objects::nonNull)
        .forEach(
            witness ->
                drawings.merge(
                    witness.token().text(), witness.run().drawing(), RecordDetails::earlier));
    List<RunRecord.PictureRecord> pictures = new ArrayList<>();
    drawings.forEach((token, drawing) -> pictures.add(new RunRecord.PictureRecord(token, drawing)));
    return pictures;
  }

  private static Drawing earlier(Drawing one, Drawing other) {
    boolean otherFirst =
        other.partsAt() > 0 && (one.partsAt() < 1 || other.partsAt() < one.partsAt());
    return otherFirst ? other : one;
  }
}
