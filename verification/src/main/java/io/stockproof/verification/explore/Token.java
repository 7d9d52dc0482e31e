package io.stockproof.verification.explore;

import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * A short text that names a scenario, a schedule and its faults; it replays them. Says of each
 * command what it was, so that a replay against changed code is noticed.
 *
 * @param subject whose run it was
 * @param scenario what was asked; its coupon number means nothing
 * @param faults the faults, in the words of {@link CommandFault#title}
 * @param steps the schedule
 */
public record Token(String subject, Scenario scenario, List<Fault> faults, List<At> steps) {

  private static final String PREFIX = "SP1.";
  private static final int MAX_LENGTH = 1 << 20;

  /** Copies the lists. */
  public Token {
    faults = List.copyOf(faults);
    steps = List.copyOf(steps);
  }

  /**
   * One fault.
   *
   * @param actor index of the request
   * @param command which of its commands, from 0
   * @param fault what happens
   */
  public record Fault(int actor, int command, CommandFault fault) {}

  /**
   * One step.
   *
   * @param actor who went
   * @param name what it did, for example {@code EVALSHA}
   * @param hash of what it asked, without values
   */
  public record At(int actor, String name, int hash) {}

  static Token of(String subject, Run run) {
    return new Token(
        subject,
        run.scenario().withCoupon(1),
        run.plan().strikes().stream()
            .map(s -> new Fault(s.actor(), s.command(), s.fault()))
            .toList(),
        run.steps().stream().map(s -> new At(s.actor(), s.name(), s.hash())).toList());
  }

  FaultPlan plan() {
    return new FaultPlan(
        faults.stream().map(f -> new FaultPlan.Strike(f.actor(), f.command(), f.fault())).toList());
  }

  List<Integer> order() {
    return steps.stream().map(At::actor).toList();
  }

  /** The text, {@code SP1.} and letters that need no quotes in a shell. */
  public String text() {
    StringBuilder plain = new StringBuilder(subject).append('\n');
    plain.append(scenario.total()).append(' ').append(scenario.instances());
    if (scenario.window() != Scenario.Window.OPEN) {
      plain.append(' ').append(scenario.window());
    }
    plain.append('\n');
    scenario
        .requests()
        .forEach(r -> plain.append(r.userId()).append('@').append(r.instance()).append(' '));
    plain.append('\n');
    faults.forEach(
        f ->
            plain
                .append(f.actor())
                .append(':')
                .append(f.command())
                .append(':')
                .append(f.fault().title())
                .append(' '));
    plain.append('\n');
    steps.forEach(
        s ->
            plain
                .append(s.actor())
                .append(':')
                .append(s.name())
                .append(':')
                .append(Integer.toHexString(s.hash()))
                .append(' '));
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflate =
        new DeflaterOutputStream(packed, new Deflater(Deflater.BEST_COMPRESSION))) {
      deflate.write(plain.toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(packed.toByteArray());
  }

  /**
   * Reads a token.
   *
   * @throws IllegalArgumentException if it is not one, or cut short
   */
  public static Token parse(String text) {
    String trimmed = text.trim();
    if (!trimmed.startsWith(PREFIX)) {
      throw new IllegalArgumentException(
          "a token starts with " + PREFIX + ", this is: " + shown(trimmed));
    }
    try (InflaterInputStream inflate =
        new InflaterInputStream(
            new ByteArrayInputStream(
                Base64.getUrlDecoder().decode(trimmed.substring(PREFIX.length()))))) {
      String plain = new String(inflate.readNBytes(MAX_LENGTH), StandardCharsets.UTF_8);
      return parseLines(plain.split("\n", -1));
    } catch (IOException | RuntimeException broken) {
      throw new IllegalArgumentException(
          "this token is damaged or was cut short when it was copied: " + shown(trimmed), broken);
    }
  }

  private static Token parseLines(String[] lines) {
    String[] numbers = lines[1].split(" ", -1);
    List<Request> requests = new ArrayList<>();
    for (String part : words(lines[2])) {
      int at = part.lastIndexOf('@');
      requests.add(new Request(part.substring(0, at), Integer.parseInt(part.substring(at + 1))));
    }
    List<Fault> faults = new ArrayList<>();
    for (String part : words(lines[3])) {
      String[] fields = part.split(":", -1);
      faults.add(
          new Fault(
              Integer.parseInt(fields[0]),
              Integer.parseInt(fields[1]),
              CommandFault.parse(fields[2]).iterator().next()));
    }
    List<At> steps = new ArrayList<>();
    for (String part : words(lines[4])) {
      String[] fields = part.split(":", -1);
      steps.add(new At(Integer.parseInt(fields[0]), fields[1], Integer.parseInt(fields[2], 16)));
    }
    Scenario scenario =
        new Scenario(1, Long.parseLong(numbers[0]), Integer.parseInt(numbers[1]), requests);
    Scenario.Window window =
        numbers.length > 2 ? Scenario.Window.valueOf(numbers[2]) : Scenario.Window.OPEN;
    return new Token(lines[0], scenario.when(window), faults, steps);
  }

  private static List<String> words(String line) {
    return line.isBlank() ? List.of() : List.of(line.trim().split(" ", -1));
  }

  private static String shown(String text) {
    return text.length() <= 24 ? text : text.substring(0, 24) + "…";
  }
}
