package io.stockproof.verification.explore;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/** What the threads of this JVM do: a wait for one of them is over only when one of them runs. */
final class JvmThreads {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private JvmThreads() {}

  /** Whether a thread beside the one that asks executes Java code, or is about to. */
  static boolean anyOtherRuns() {
    long own = Thread.currentThread().getId();
    for (ThreadInfo info : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      // In native code they wait for bytes, for a process to end, or for work of the JVM.
      boolean runs =
          info != null
              && info.getThreadState() == Thread.State.RUNNABLE
              && !info.isInNative()
              && info.getThreadId() != own;
      if (runs) {
        return true;
      }
    }
    return false;
  }
}
