package io.stockproof.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.PooledEndpoints;
import io.stockproof.verification.subjects.Subjects;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The main program of an instance in a JVM of its own. First it is told, a line each, which subject
 * it is, and where its stores are; then each line is a call: number, coupon and user, or number and
 * {@link #CLOCK}. A call is answered by its number and the outcome or the milliseconds, or {@link
 * #THREW} and a message. The end of the input ends it.
 */
final class JvmMain {
  static final String READY = "ready";
  static final String THREW = "threw";
  static final String CLOCK = "clock";

  private static final int CALLS_AT_ONCE = 64;

  private JvmMain() {}

  public static void main(String[] args) throws Exception {
    BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    PrintStream answers = System.out;
    // Whatever else is printed must not be taken for an answer.
    System.setOut(System.err);
    Subject subject = Subjects.inService(line(orders)).orElseThrow().get();
    PooledEndpoints endpoints =
        PooledEndpoints.of(
            line(orders), line(orders), line(orders), line(orders), Integer.parseInt(line(orders)));
    Subject.Instance instance = subject.start(endpoints);
    answers.println(READY);
    ExecutorService callers = Executors.newFixedThreadPool(CALLS_AT_ONCE);
    for (String call = orders.readLine(); call != null; call = orders.readLine()) {
      String[] parts = call.split(" ", 3);
      callers.execute(() -> answers.println(parts[0] + " " + answer(instance, parts)));
    }
    System.exit(0);
  }

  private static String line(BufferedReader orders) throws IOException {
    String line = orders.readLine();
    if (line == null) {
      throw new IOException("the input ended before all was told");
    }
    return line;
  }

  private static String answer(Subject.Instance instance, String[] call) {
    if (call[1].equals(CLOCK)) {
      return Long.toString(System.currentTimeMillis());
    }
    try {
      return instance.issue(Long.parseLong(call[1]), call[2]).name();
    } catch (Exception escaped) {
      String text = escaped.getClass().getSimpleName() + ": " + escaped.getMessage();
      return THREW + " " + text.replaceAll("\\R", " ");
    }
  }
}
