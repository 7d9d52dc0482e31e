package io.stockproof.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Subject;
import io.stockproof.verification.stress.InstanceDiedException;
import io.stockproof.verification.wire.ProxiedEndpoints;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An application instance in a JVM of its own, which can be killed and started again. It speaks
 * with {@link JvmMain} over its standard streams; a password never stands on a command line. The
 * other JVM ends with this one, however this one ends. Thread-safe.
 */
final class JvmInstance implements Subject.Instance {
  private static final int MOST_COMPLAINTS = 5;
  private static final Duration STARTS_WITHIN = Duration.ofSeconds(60);

  private final String subject;
  private final String name;
  private final ProxiedEndpoints wire;
  private final @Nullable FakeClock clock;
  private final AtomicLong nextCall = new AtomicLong();
  private volatile Life life;

  private JvmInstance(String subject, String name, ProxiedEndpoints wire, @Nullable FakeClock clock)
      throws IOException {
    this.subject = subject;
    this.name = name;
    this.wire = wire;
    this.clock = clock;
    this.life = begin();
  }

  /**
   * Starts the JVM; {@link #awaitReady} tells when it can be asked.
   *
   * @param subject name of a built-in subject, as it runs in a service
   * @param name of the instance, for messages
   * @param wire where it finds its stores
   * @param clock what it takes the time from; null for the machine's
   */
  static JvmInstance start(
      String subject, String name, ProxiedEndpoints wire, @Nullable FakeClock clock)
      throws IOException {
    return new JvmInstance(subject, name, wire, clock);
  }

  /** One process, and the calls that wait for its answers. */
  private static final class Life {
    final Process process;
    final BufferedWriter orders;
    final Map<String, CompletableFuture<String>> waiting = new ConcurrentHashMap<>();
    final CompletableFuture<Boolean> ready = new CompletableFuture<>();
    final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    volatile boolean over;

    Life(Process process) {
      this.process = process;
      this.orders = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8));
    }

    synchronized void order(String... lines) throws IOException {
      for (String line : lines) {
        orders.write(line);
        orders.newLine();
      }
      orders.flush();
    }
  }

  private Life begin() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            JvmMain.class.getName());
    if (clock != null) {
      builder.environment().putAll(clock.environment());
    }
    Process process = builder.start();
    Life begun = new Life(process);
    Thread complaints = new Thread(() -> listen(begun), "stockproof-chaos-errors-" + name);
    complaints.setDaemon(true);
    complaints.start();
    Thread reader = new Thread(() -> follow(begun), "stockproof-chaos-" + name);
    reader.setDaemon(true);
    reader.start();
    begun.order(
        subject,
        wire.jdbcUrl(),
        wire.dbUser(),
        wire.dbPassword(),
        wire.redisUri(),
        Integer.toString(wire.poolSize()));
    return begun;
  }

  private void follow(Life ofProcess) {
    try (BufferedReader answers = ofProcess.process.inputReader(UTF_8)) {
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        if (line.equals(JvmMain.READY)) {
          ofProcess.ready.complete(true);
        } else {
          answered(ofProcess, line);
        }
      }
    } catch (IOException ended) {
      // Killed in the middle of a line.
    }
    ofProcess.over = true;
    ofProcess.ready.complete(false);
    InstanceDiedException died = new InstanceDiedException(name);
    ofProcess.waiting.values().forEach(call -> call.completeExceptionally(died));
  }

  /** Keeps the first lines of what it complains of, so that a failed start can be explained. */
  private static void listen(Life ofProcess) {
    try (BufferedReader words = ofProcess.process.errorReader(UTF_8)) {
      for (String line = words.readLine(); line != null; line = words.readLine()) {
        if (ofProcess.complaints.size() < MOST_COMPLAINTS) {
          ofProcess.complaints.add(line.strip());
        }
      }
    } catch (IOException ended) {
      // Killed in the middle of a line.
    }
  }

  private static void answered(Life ofProcess, String line) {
    String[] parts = line.split(" ", 3);
    CompletableFuture<String> call = ofProcess.waiting.remove(parts[0]);
    if (call == null) {
      return;
    }
    if (parts[1].equals(JvmMain.THREW)) {
      call.completeExceptionally(new IllegalStateException(parts[2]));
    } else {
      call.complete(parts[1]);
    }
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) throws Exception {
    return IssueOutcome.valueOf(ask(couponId + " " + userId));
  }

  /** What it takes the time from; null for the machine's clock. */
  @Nullable FakeClock clock() {
    return clock;
  }

  /** What time it is there. */
  Instant now() throws Exception {
    return Instant.ofEpochMilli(Long.parseLong(ask(JvmMain.CLOCK)));
  }

  private String ask(String question) throws Exception {
    Life now = life;
    String id = Long.toString(nextCall.incrementAndGet());
    CompletableFuture<String> answer = new CompletableFuture<>();
    var unused = now.waiting.put(id, answer);
    try {
      if (!isReady(now)) {
        throw new InstanceDiedException(name);
      }
      now.order(id + " " + question);
      return answer.get();
    } catch (IOException gone) {
      throw new InstanceDiedException(name);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    } finally {
      now.waiting.keySet().remove(id);
    }
  }

  private static boolean isReady(Life of) {
    return !of.over && of.ready.getNow(false);
  }

  /** Whether it can be asked now. */
  boolean isAlive() {
    return isReady(life);
  }

  /**
   * Waits until it can be asked.
   *
   * @throws IllegalStateException if it ended, or does not start
   */
  void awaitReady() throws InterruptedException {
    try {
      if (life.ready.get(STARTS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
      throw new IllegalStateException(
          name + " ended while it started: " + String.join("; ", life.complaints));
    } catch (ExecutionException | TimeoutException late) {
      throw new IllegalStateException(name + " did not start in time", late);
    }
  }

  /** SIGKILL; then another JVM is started in its place, and not waited for. */
  void killAndStartAgain() throws IOException, InterruptedException {
    Life killed = life;
    killed.process.destroyForcibly().waitFor(STARTS_WITHIN.toSeconds(), TimeUnit.SECONDS);
    life = begin();
  }

  @Override
  public void close() throws Exception {
    Life last = life;
    // The end of its input ends it.
    last.process.getOutputStream().close();
    if (!last.process.waitFor(5, TimeUnit.SECONDS)) {
      last.process.destroyForcibly();
    }
    if (clock != null) {
      clock.close();
    }
  }
}
