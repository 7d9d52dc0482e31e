package io.stockproof.verification.stress;

import io.stockproof.verification.StoreState;
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
   * @param mostUsers users kept, of all looks together: each look keeps every user who has
   *     anything, so a long run would keep the square of it. Once there are more, every second look
   *     is forgotten, and looks come half as often. The first and the last one are always kept.
   */
  public record Pace(Duration pause, int most, long mostUsers) {

    /** Keeps what fits into some hundred megabytes. */
    public Pace(Duration pause, int most) {
      this(pause, most, 2_000_000);
    }
  }

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
  private long usersKept;
  private volatile long pauses = 1;
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
        if (stop.await(pauses * pace.pause().toMillis(), TimeUnit.MILLISECONDS)) {
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
      usersKept += users(state);
      if (usersKept > pace.mostUsers() && samples.size() > 2) {
        forgetEverySecond();
      }
    }
  }

  private void forgetEverySecond() {
    List<Sample> all = List.copyOf(samples);
    samples.clear();
    for (int i = 0; i < all.size(); i++) {
      if (i % 2 == 0 || i == all.size() - 1) {
        samples.add(all.get(i));
      }
    }
    usersKept = samples.stream().mapToLong(sample -> users(sample.books().state())).sum();
    pauses *= 2;
  }

  private static long users(StoreState state) {
    return (long) state.rowsByUser().size()
        + state.gateUsers().size()
        + state.reservations().size();
  }

  /** What was seen so far and is kept, in order. */
  public List<Books> books() {
    return samples().stream().map(Sample::books).toList();
  }

  /** What was seen so far and is kept, and when, in order. */
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
