package io.stockproof.chaos;

import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.explore.CommandFault;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every fault of campaigns. */
public final class Faults {

  /**
   * What a campaign does otherwise: an instance dies by {@code SIGKILL}, all is lost by FLUSHALL.
   */
  private static final Set<CommandFault> DONE_OTHERWISE =
      EnumSet.of(
          CommandFault.CRASH,
          CommandFault.REDIS_LOSES_ALL,
          CommandFault.REDIS_LOSES_LAST_WRITE,
          CommandFault.REDIS_LOSES_WRITES,
          CommandFault.ERROR_NOSCRIPT,
          CommandFault.ERROR_OOM,
          CommandFault.ERROR_READONLY);

  private static final List<Fault> ALL = collect();

  private Faults() {}

  private static List<Fault> collect() {
    List<Fault> all = new ArrayList<>();
    all.addAll(List.of(ServerFault.values()));
    all.addAll(List.of(InstanceFault.values()));
    all.addAll(List.of(RedisFault.values()));
    all.addAll(List.of(DatabaseFault.values()));
    all.addAll(List.of(WireFault.values()));
    for (CommandFault fault : CommandFault.values()) {
      if (!DONE_OTHERWISE.contains(fault)) {
        all.add(new AtCommands(fault));
      }
    }
    return List.copyOf(all);
  }

  /** All of them, servers first. */
  public static List<Fault> all() {
    return ALL;
  }

  /** Those of a family, in the same order. */
  public static List<Fault> of(FaultFamily family) {
    return ALL.stream().filter(fault -> fault.family() == family).toList();
  }

  /**
   * The one of this name, or all of the family of this name.
   *
   * @throws IllegalArgumentException naming what is allowed if there is neither
   */
  public static List<Fault> named(String name) {
    List<Fault> found =
        ALL.stream()
            .filter(fault -> fault.title().equals(name) || fault.family().title().equals(name))
            .toList();
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "no fault and no family is called '%s'; allowed: %s"
              .formatted(name, String.join(", ", names())));
    }
    return found;
  }

  /** Why a fault cannot be done in such a campaign; empty if it can. */
  public static Optional<String> impossible(
      Fault fault, Environment environment, Subject subject, CampaignSettings settings) {
    if (fault instanceof InstanceFault && (!settings.ownJvms() || settings.instances() < 2)) {
      return Optional.of("needs instances in two JVMs of their own, or more");
    }
    if (fault == InstanceFault.CLOCK_SKEW && !FakeClock.available()) {
      return Optional.of("needs libfaketime (Debian: apt-get install faketime)");
    }
    if (fault == DatabaseFault.POOL_EXHAUSTED && settings.ownJvms()) {
      return Optional.of("needs instances in this JVM");
    }
    if (fault.lacksServer(environment)) {
      return Optional.of("needs a server that was started here");
    }
    if (fault.strikesWholeServer() && !environment.mayBreakServers()) {
      return Optional.of(
          "strikes everyone who uses the server, which runs already: only with --allow-destructive"
              + " (stockproof.allow-destructive=true)");
    }
    if (fault == RedisFault.LEASE_EXPIRY && subject.leases().keys().isEmpty()) {
      return Optional.of("needs a lock with a lease; " + subject.name() + " has none");
    }
    boolean mariadb = environment.database().product() == Product.MARIADB;
    return !mariadb && fault.equals(new AtCommands(CommandFault.ERROR_1020))
        ? Optional.of("is an error of MariaDB")
        : Optional.empty();
  }

  /** Families, then faults. */
  public static List<String> names() {
    return Stream.concat(
            Stream.of(FaultFamily.values()).map(FaultFamily::title), ALL.stream().map(Fault::title))
        .collect(Collectors.toList());
  }
}
