package io.stockproof.chaos;

import java.time.Duration;
import java.util.List;

/** What happens to the process of an application instance. */
public enum InstanceFault implements Fault {
  /** Needs instances in JVMs of their own. */
  JVM_KILL(
      "jvm-kill",
      "the JVM of an instance is killed (SIGKILL), the next one each second, and started again");

  private final String title;
  private final String meaning;

  InstanceFault(String title, String meaning) {
    this.title = title;
    this.meaning = meaning;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public FaultFamily family() {
    return FaultFamily.CRASH;
  }

  @Override
  public String meaning() {
    return meaning;
  }

  @Override
  public Duration usualWindow() {
    return Duration.ofSeconds(5);
  }

  @Override
  public boolean losesRedisData() {
    return false;
  }

  @Override
  public boolean needsOwnServer() {
    return false;
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
