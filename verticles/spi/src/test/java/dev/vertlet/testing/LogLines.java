package dev.vertlet.testing;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** What one class logs, from now until it is closed. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
  private final Logger logger;

  private LogLines(Logger logger) {
    this.logger = logger;
  }

  public static LogLines of(Class<?> source) {
    LogLines lines = new LogLines((Logger) LoggerFactory.getLogger(source));
    lines.start();
    lines.logger.addAppender(lines);
    return lines;
  }

  /** The messages without their keys. */
  public List<String> messages() {
    return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** The values that lines have under this key. */
  public List<String> withKey(String key) {
    return events.stream()
        .map(ILoggingEvent::getKeyValuePairs)
        .filter(pairs -> pairs != null)
        .<KeyValuePair>flatMap(List::stream)
        .filter(pair -> pair.key.equals(key))
        .map(pair -> String.valueOf(pair.value))
        .toList();
  }

  @Override
  protected void append(ILoggingEvent event) {
    events.add(event);
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
