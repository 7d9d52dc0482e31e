package io.stockproof.verification.stress;

import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.history.Books;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the stores of one coupon now and then, on a thread of its own, while it is sold. */
final class BooksSampler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BooksSampler.class);
  private static final long PAUSE_MILLIS = 10;
  private static final int MOST_SAMPLES = 500;

  private final Environment environment;
  private final Subject subject;
  private final long couponId;
  private final AtomicLong clock;
  private final List<Books> books = new ArrayList<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::sample, "stockproof-stress-sampler");

  BooksSampler(Environment environment, Subject subject, long couponId, AtomicLong clock)
      throws Exception {
    this.environment = environment;
    this.subject = subject;
    this.couponId = couponId;
    this.clock = clock;
    addSample();
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void sample() {
    try {
      for (int i = 0; i < MOST_SAMPLES; i++) {
        if (stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
          return;
        }
        addSample();
      }
    } catch (Exception unanswered) {
      LOG.debug("sampling=ended coupon={}", couponId, unanswered);
    }
  }

  /** Stamped after it was read: what it shows was there by then. */
  private void addSample() throws Exception {
    var state = subject.observe(environment, couponId);
    synchronized (books) {
      books.add(new Books(clock.incrementAndGet(), false, state));
    }
  }

  List<Books> books() {
    synchronized (books) {
      return List.copyOf(books);
    }
  }

  @Override
  public void close() throws InterruptedException {
    stop.countDown();
    thread.join(TimeUnit.SECONDS.toMillis(5));
  }
}
