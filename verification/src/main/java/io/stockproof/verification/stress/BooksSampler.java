package io.stockproof.verification.stress;

import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.history.Books;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the stores of one coupon now and then, on a thread of its own, while it is sold. A store
 * that does not answer is asked again later. Closed by whoever made it.
 */
public final class BooksSampler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BooksSampler.class);

  /**
   * How often to look.
   *
   * @param pause between two looks
   * @param most looks of one sampler
   */
  public record Pace(Duration pause, int most) {}

  /**
   * What was seen, and when.
   *
   * @param nanos after it was read, by {@link System#nanoTime}
   * @param books what was read
   */
  public record Sample(long nanos, Books books) {}

  private final Environment environment;
  private final Subject subject;
  private final long couponId;
  private final AtomicLong clock;
  private final Pace pace;
  private final List<Sample> samples = new ArrayList<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::sample, "stockproof-stress-sampler");

  /**
   * Takes the first sample.
   *
   * @param clock the logical clock of the run
   * @throws Exception if a store does not answer
   */
  public BooksSampler(
      Environment environment, Subject subject, long couponId, AtomicLong clock, Pace pace)
      throws Exception {
    this.environment = environment;
    this.subject = subject;
    this.couponId = couponId;
    this.clock = clock;
    this.pace = pace;
    addSample();
    thread.setDaemon(true);
  }

  /** Begins to look; at most once. */
  public void start() {
    thread.start();
  }

  private void sample() {
    for (int i = 0; i < pace.most(); i++) {
      try {
        if (stop.await(pace.pause().toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
        addSample();
      } catch (InterruptedException ended) {
        return;
      } catch (Exception unanswered) {
        LOG.debug("sample=none coupon={}", couponId, unanswered);
      }
    }
  }

  /** Stamped after it was read: what it shows was there by then. */
  private void addSample() throws Exception {
    var state = subject.observe(environment, couponId);
    synchronized (samples) {
      samples.add(new Sample(System.nanoTime(), new Books(clock.incrementAndGet(), false, state)));
    }
  }

  /** What was seen so far, in order. */
  public List<Books> books() {
    return samples().stream().map(Sample::books).toList();
  }

  /** What was seen so far and when, in order. */
  public List<Sample> samples() {
    synchronized (samples) {
      return List.copyOf(samples);
    }
  }

  @Override
  public void close() throws InterruptedException {
    stop.countDown();
    thread.join(TimeUnit.SECONDS.toMillis(5));
  }
}
