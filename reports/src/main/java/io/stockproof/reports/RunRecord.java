package io.stockproof.reports;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.stockproof.verification.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run found, as JSON version 1. Fields may be added, not renamed; what a run did not do is
 * absent.
 *
 * @param version of this format
 * @param command which command ran
 * @param seed of everything random in it
 * @param verdict of the whole run: PASS, VIOLATED or INCONCLUSIVE
 * @param environment the servers
 * @param subjects one entry a subject, in the order in which they were verified
 * @param mutants whether the same settings find planted mistakes; null if that was not asked
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunRecord(
    int version,
    String command,
    long seed,
    Verdict verdict,
    EnvironmentRecord environment,
    List<SubjectRecord> subjects,
    @Nullable MutantsRecord mutants) {

  /** Value of {@link #version}. */
  public static final int VERSION = 1;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Copies the list. */
  public RunRecord {
    subjects = List.copyOf(subjects);
  }

  /**
   * Writes it, replacing the file.
   *
   * @throws IOException if the file cannot be written
   */
  public void writeTo(Path file) throws IOException {
    Files.writeString(file, JSON.writeValueAsString(this) + System.lineSeparator());
  }

  /**
   * The servers of a run.
   *
   * @param kind where they came from, lower case
   * @param redis version of Redis
   * @param database product and version
   */
  public record EnvironmentRecord(String kind, String redis, String database) {}

  /**
   * One subject.
   *
   * @param name of the subject
   * @param expected ids of the rules it is known to break
   * @param verdict of the subject
   * @param reason of the verdict, in a line
   * @param instances most instances in a run
   * @param stressRuns runs with many threads; null if there were none
   * @param interleavings explored runs
   * @param classes of equivalent ones among them
   * @param exhaustive whether these are all
   * @param interleavingsPerSecond how fast
   * @param commandsIntercepted on the wire
   * @param goals how often interesting states were reached, by name
   * @param rules what was found, by rule
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SubjectRecord(
      String name,
      List<String> expected,
      Verdict verdict,
      String reason,
      int instances,
      @Nullable Integer stressRuns,
      @Nullable Long interleavings,
      @Nullable Long classes,
      @Nullable Boolean exhaustive,
      @Nullable Double interleavingsPerSecond,
      @Nullable Long commandsIntercepted,
      @Nullable Map<String, Long> goals,
      List<RuleRecord> rules) {}

  /**
   * One rule of a subject.
   *
   * @param id of the rule
   * @param strength MUST or SHOULD
   * @param title a few words
   * @param verdict of the rule
   * @param reached false if its premise never occurred or no run could show it
   * @param detail one line
   * @param token replays the run that broke it
   * @param foundAtRun number of that run
   * @param users requests of that run
   * @param commands of that run
   * @param faults of that run
   * @param seconds until it was found
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RuleRecord(
      String id,
      String strength,
      String title,
      Verdict verdict,
      boolean reached,
      String detail,
      @Nullable String token,
      @Nullable Long foundAtRun,
      @Nullable Integer users,
      @Nullable Integer commands,
      @Nullable Integer faults,
      @Nullable Double seconds) {}

  /**
   * The gallery.
   *
   * @param total mutants in it
   * @param caught how many of them their rule caught
   * @param medianSeconds until a mutant was caught and its run made small
   * @param slowestSeconds the longest of these
   * @param missed names of those that were not caught
   * @param byThreadsAndLuck how many many threads found without a search; null if not tried
   * @param each one entry a mutant
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record MutantsRecord(
      int total,
      int caught,
      double medianSeconds,
      double slowestSeconds,
      List<String> missed,
      @Nullable Integer byThreadsAndLuck,
      List<MutantRecord> each) {
    /** Copies the lists. */
    public MutantsRecord {
      missed = List.copyOf(missed);
      each = List.copyOf(each);
    }
  }

  /**
   * One mutant.
   *
   * @param name of the mutant
   * @param cases ids of the public cases it comes from
   * @param rule id of the rule that must catch it
   * @param caught whether it did
   * @param seconds until it was caught and its run made small, or given up
   * @param where in which part of the verification it was caught
   * @param detail what was seen, or why it could not be verified
   * @param token replays the run; null if stress caught it
   * @param users different users of that run
   * @param requests of that run
   * @param commands of that run
   * @param faults of that run
   * @param foundByLuckAtRun which run of many threads found it, from 1; 0 for none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record MutantRecord(
      String name,
      List<String> cases,
      String rule,
      boolean caught,
      double seconds,
      @Nullable String where,
      @Nullable String detail,
      @Nullable String token,
      @Nullable Integer users,
      @Nullable Integer requests,
      @Nullable Integer commands,
      @Nullable Integer faults,
      @Nullable Integer foundByLuckAtRun) {}
}
