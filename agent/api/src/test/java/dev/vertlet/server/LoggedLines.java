package dev.vertlet.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** The warnings and errors that anything in this process logs, until it is closed. */
public final class LoggedLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

  /** From now on. */
  public static LoggedLines all() {
    LoggedLines lines = new LoggedLines();
    lines.start();
    lines.root.addAppender(lines);
    return lines;
  }

  /** With their keys and exceptions. */
  public List<String> warnings() {
    return List.copyOf(lines);
  }

  @Override
  protected void append(ILoggingEvent event) {
    boolean busyMachine = event.getLoggerName().endsWith(".BlockedThreadChecker");
    if (event.getLevel().isGreaterOrEqual(Level.WARN) && !busyMachine) {
      lines.add(
          event.getLoggerName()
              + " "
              + event
              + " "
              + event.getKeyValuePairs()
              + " "
              + event.getThrowableProxy());
    }
  }

  @Override
  public void close() {
    root.detachAppender(this);
    stop();
  }
}
