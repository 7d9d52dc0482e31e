package io.stockproof;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What one class writes into its log while this is open, from INFO up. */
final class LogOf implements AutoCloseable {

  private final Logger logger;
  private final Level before;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event.getFormattedMessage());
        }
      };

  LogOf(Class<?> written) {
    logger = (Logger) LoggerFactory.getLogger(written);
    before = logger.getLevel();
    appender.start();
    logger.addAppender(appender);
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
  }

  List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    logger.setLevel(before);
    logger.setAdditive(true);
    logger.detachAppender(appender);
    appender.stop();
  }
}
