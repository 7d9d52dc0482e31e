package io.stockproof.verification.explore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a search may put between the commands of the requests.
 *
 * @param faults what can go wrong at a command
 * @param recoveries what the implementation does by itself, where it offers that
 */
public record Choices(Set<CommandFault> faults, Set<Recovery> recoveries) {

  /** Nothing. */
  public static final Choices NONE = new Choices(Set.of(), Set.of());

  /** Copies the sets. */
  public Choices {
    faults = Set.copyOf(faults);
    recoveries = Set.copyOf(recoveries);
  }

  /** Everything there is. */
  public static Choices all() {
    return new Choices(EnumSet.allOf(CommandFault.class), EnumSet.allOf(Recovery.class));
  }

  /** Faults alone. */
  public static Choices of(Set<CommandFault> faults) {
    return new Choices(faults, Set.of());
  }

  /** Whether there is nothing to choose. */
  public boolean isEmpty() {
    return faults.isEmpty() && recoveries.isEmpty();
  }

  /**
   * Reads what was asked for with {@code --faults}.
   *
   * @param names as {@link CommandFault#parse} has them, and titles of {@link Recovery}
   * @throws IllegalArgumentException if a name is none of them
   */
  public static Choices parse(String names) {
    if (names.equals("all")) {
      return all();
    }
    Set<Recovery> recoveries = EnumSet.noneOf(Recovery.class);
    List<String> others = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      named(name.trim()).ifPresentOrElse(recoveries::add, () -> others.add(name));
    }
    if (others.isEmpty()) {
      return new Choices(Set.of(), recoveries);
    }
    try {
      return new Choices(CommandFault.parse(String.join(",", others)), recoveries);
    } catch (IllegalArgumentException unknown) {
      String more =
          Arrays.stream(Recovery.values()).map(Recovery::title).collect(Collectors.joining(", "));
      throw new IllegalArgumentException(unknown.getMessage() + ", " + more, unknown);
    }
  }

  private static Optional<Recovery> named(String title) {
    return Arrays.stream(Recovery.values()).filter(r -> r.title().equals(title)).findFirst();
  }
}
