package io.stockproof.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What happens to the process of an application instance, or to its clock. */
public enum InstanceFault implements Fault {
  /** Needs instances in JVMs of their own. */
  JVM_KILL(
      "jvm-kill",
      FaultFamily.CRASH,
      5,
      "the JVM of an instance is killed (SIGKILL), the next one each second, and started again") {
    /** The last one that lives is left alone, as a service that is deployed anew would do. */
    @Override
    public Undo begin(Target target, Duration lasts) throws Exception {
      List<JvmInstance> jvms = target.jvms();
      int[] turn = {0};
      Repeating killing =
          Repeating.every(
              Duration.ofSeconds(1),
              () -> {
                JvmInstance next = jvms.get(turn[0]++ % jvms.size());
                if (next.isAlive() && jvms.stream().filter(JvmInstance::isAlive).count() > 1) {
                  next.killAndStartAgain();
                }
              });
      return () -> {
        killing.undo();
        for (JvmInstance jvm : jvms) {
          jvm.awaitReady();
        }
      };
    }
  },
  /** Needs instances in JVMs of their own, and libfaketime. */
  CLOCK_SKEW(
      "clock-skew",
      FaultFamily.CLOCK,
      6,
      "the clock of one instance is five minutes fast, of the next five minutes slow") {
    @Override
    public Undo begin(Target target, Duration lasts) throws Exception {
      Duration off = OFF;
      for (JvmInstance jvm : target.jvms().subList(0, 2)) {
        clockOf(jvm).put(off);
        off = off.negated();
      }
      for (JvmInstance jvm : target.jvms().subList(0, 2)) {
        awaitOff(jvm);
        // Whatever reads the time there reads a wrong one, also if nothing of it is on the wire.
        target.meddler().seen();
      }
      return () -> {
        for (JvmInstance jvm : target.jvms()) {
          clockOf(jvm).put(Duration.ZERO);
        }
      };
    }
  };

  private static final Duration OFF = Duration.ofMinutes(5);
  private static final Duration FOLLOWS_WITHIN = Duration.ofSeconds(5);

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts, an enum and a Duration
  private final About about;

  InstanceFault(String title, FaultFamily family, int usualSeconds, String meaning) {
    this.about = About.of(title, family, usualSeconds, meaning);
  }

  @Override
  public About about() {
    return about;
  }

  private static FakeClock clockOf(JvmInstance jvm) {
    FakeClock clock = jvm.clock();
    if (clock == null) {
      throw new IllegalStateException("this instance has the machine's clock");
    }
    return clock;
  }

  private static void awaitOff(JvmInstance jvm) throws Exception {
    long deadline = System.nanoTime() + FOLLOWS_WITHIN.toNanos();
    Duration far = OFF.dividedBy(2);
    while (Duration.between(Instant.now(), jvm.now()).abs().compareTo(far) < 0) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the clock of an instance did not move");
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }
}
