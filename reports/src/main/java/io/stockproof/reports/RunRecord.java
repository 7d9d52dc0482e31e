package io.stockproof.reports;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.explore.Drawing;
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
 * @param startedAt when it began, ISO 8601 in UTC
 * @param seconds from its beginning to its end
 * @param specification every rule there is, judged or not, in order of ids
 * @param mutants whether the same settings find planted mistakes; null if that was not asked
 * @param faults one entry a fault of a campaign, in order of time; null if there was none
 */
public record RunRecord(
    int version,
    String command,
    long seed,
    Verdict verdict,
    EnvironmentRecord environment,
    List<SubjectRecord> subjects,
    @Nullable String startedAt,
    @Nullable Double seconds,
    @Nullable List<SpecificationRecord> specification,
    @Nullable MutantsRecord mutants,
    @Nullable List<FaultRecord> faults) {

  /** Value of {@link #version}. */
  public static final int VERSION = 1;

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL)
          .registerModule(Secrets.hidden());

  /** Copies the lists. */
  public RunRecord {
    subjects = List.copyOf(subjects);
    specification = specification == null ? null : List.copyOf(specification);
    faults = faults == null ? null : List.copyOf(faults);
  }

  /** The same with the faults of a campaign. */
  public RunRecord with(List<FaultRecord> ofCampaign) {
    return new RunRecord(
        version,
        command,
        seed,
        verdict,
        environment,
        subjects,
        startedAt,
        seconds,
        specification,
        mutants,
        ofCampaign);
  }

  /** The same as it would be read from its file: without passwords, whatever texts hold some. */
  public RunRecord asWritten() {
    try {
      return JSON.readValue(JSON.writeValueAsBytes(this), RunRecord.class);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Writes it, replacing the file. Passwords in texts (of an exception, for example) are left out.
   *
   * @throws IOException if the file cannot be written
   */
  public void writeTo(Path file) throws IOException {
    Files.writeString(file, JSON.writeValueAsString(this) + System.lineSeparator());
  }

  /**
   * Reads what {@link #writeTo} wrote, now or in another version: fields that are not known are
   * skipped, fields that were not there yet are null.
   *
   * @throws IOException if the file cannot be read or is no run
   */
  public static RunRecord readFrom(Path file) throws IOException {
    return JSON.readValue(file.toFile(), RunRecord.class);
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
   * @param summary what it is, in a line
   * @param source where it is described
   * @param seconds of its searches
   * @param faultedRuns runs in which a fault struck
   * @param searches one by one
   * @param pictures of the runs whose tokens the rules name, each once
   */
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
      List<RuleRecord> rules,
      @Nullable String summary,
      @Nullable String source,
      @Nullable Double seconds,
      @Nullable Long faultedRuns,
      @Nullable List<SearchRecord> searches,
      @Nullable List<PictureRecord> pictures) {}

  /**
   * One search.
   *
   * @param requests who asked, a letter a user, for example {@code A, A, B}
   * @param stock units on sale
   * @param instances application instances
   * @param interleavings explored runs
   * @param classes of equivalent ones among them
   * @param faultedRuns runs in which a fault struck
   * @param exhaustive whether these are all
   * @param limits why not, or what a reader must know; one line each
   * @param seconds it took
   */
  public record SearchRecord(
      String requests,
      long stock,
      int instances,
      long interleavings,
      long classes,
      long faultedRuns,
      boolean exhaustive,
      List<String> limits,
      double seconds) {}

  /**
   * The picture of a run.
   *
   * @param token of the run
   * @param drawing of it
   */
  public record PictureRecord(String token, Drawing drawing) {}

  /**
   * A rule as SPEC.md states it.
   *
   * @param id of the rule
   * @param strength MUST or SHOULD
   * @param title a few words
   * @param statement the rule
   * @param intent why it is there
   * @param capability what a subject must claim for the rule to apply; null if it applies to all
   * @param judgedBy what it is judged by, in words; null if by neither search nor stress
   */
  public record SpecificationRecord(
      String id,
      String strength,
      String title,
      String statement,
      String intent,
      @Nullable String capability,
      @Nullable String judgedBy) {}

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
   * @param users different users of that run
   * @param commands of that run
   * @param faults of that run
   * @param seconds until it was found
   * @param expected whether the subject is known to break it
   * @param brokenAfterStep number of the step of that run after which it was broken, from 1; 0 if
   *     only rest shows it
   */
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
      @Nullable Double seconds,
      @Nullable Boolean expected,
      @Nullable Long brokenAfterStep) {}

  /**
   * One fault of a campaign. A call is under way in a window if it was due before its end and ended
   * after its beginning.
   *
   * @param family of the fault
   * @param name of the fault
   * @param subject what it was done beside
   * @param atMillis when it began, from the beginning of the load
   * @param windowMillis until it was undone, the start of a server included
   * @param issuedInWindow units given to calls under way
   * @param unavailable calls under way that were told UNAVAILABLE or UNKNOWN, or threw
   * @param waited calls under way that took far longer than in calm
   * @param errorsSeen errors of servers, ends of connections, and commands delayed, held or lost,
   *     as the instances saw them
   * @param recoveryMillis from the end of the window until every instance issued again; null if
   *     that was not seen
   * @param balancedMillis from the end of the window until the books were first seen to agree; null
   *     if that was not seen
   * @param hung calls under way that did not end within their deadline
   * @param verdict of this window, and of the rules if one was broken
   * @param detail why, in a line
   */
  public record FaultRecord(
      String family,
      String name,
      String subject,
      long atMillis,
      long windowMillis,
      int issuedInWindow,
      int unavailable,
      int waited,
      long errorsSeen,
      @Nullable Long recoveryMillis,
      @Nullable Long balancedMillis,
      int hung,
      Verdict verdict,
      String detail) {}

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
