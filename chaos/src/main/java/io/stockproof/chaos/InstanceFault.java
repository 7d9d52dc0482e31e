package io.stockproof.chaos;

import java.time.Duration;
import java.util.List;

/** What happens to the process of an application instance. */
public enum InstanceFault implements Fault {
  /** Needs instances in JVMs of their own. */
  JVM_KILL(
      "jvm-kill",
      5,
      "the JVM of an instance is killed (SIGKILL), the next one each second, and started again");

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts, an enum and a Duration
  private final About about;

  InstanceFault(String title, int usualSeconds, String meaning) {
    this.about = About.of(title, FaultFamily.CRASH, usualSeconds, meaning);
  }

  @Override
  public About about() {
    return about;
  }

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
}
