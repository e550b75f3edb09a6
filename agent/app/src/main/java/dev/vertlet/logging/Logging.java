package dev.vertlet.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.vertlet.config.LogConfig;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Sets logging up without a file, which saves a tenth of a second at start. A file named with
 * {@code -Dlogback.configurationFile} or a test's {@code logback-test.xml} takes precedence.
 */
public final class Logging extends ContextAwareBase implements Configurator {
  /** Level of libraries: their lines below it rarely help an operator. */
  private static final Level LIBRARIES = Level.WARN;

  /** The loggers that {@code log.level} sets. */
  private static final String OWN = "dev.vertlet";

  /**
   * Logs an error for each connection that a client breaks before a server handles it; failures of
   * vertlet's own connections fail the request, too.
   */
  private static final String CLIENTS = "io.vertx.core.net.impl.ConnectionBase";

  /** Names of loggers with levels of their own. */
  private static Set<String> applied = Set.of();

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (System.getProperty("logback.configurationFile") != null
        || Logging.class.getResource("/logback-test.xml") != null) {
      return ExecutionStatus.NEUTRAL;
    }
    LogLineEncoder lines = new LogLineEncoder();
    lines.setContext(context);
    lines.start();
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(context);
    console.setName("console");
    console.setEncoder(lines);
    console.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(LIBRARIES);
    root.addAppender(console);
    context.getLogger(OWN).setLevel(Level.INFO);
    context.getLogger(CLIENTS).setLevel(Level.OFF);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /**
   * Applies the configuration: the level of vertlet's loggers and of single ones, and the format of
   * all lines. Resets the single levels set before. Callable at any time, from any thread.
   */
  public static synchronized void apply(LogConfig config) {
    if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
      return; // another back end of SLF4J has a setup of its own
    }
    applied.forEach(name -> context.getLogger(name).setLevel(null));
    applied = config.levels().keySet();
    context.getLogger(OWN).setLevel(Level.toLevel(config.level().name()));
    config
        .levels()
        .forEach(
            (name, level) -> {
              context.getLogger(name).setLevel(Level.toLevel(level.name()));
              warnOfUnknown(name);
            });
    consoles(context)
        .forEach(
            console -> {
              if (console.getEncoder() instanceof LogLineEncoder lines) {
                lines.setFormat(config.format().name().toLowerCase(Locale.ROOT));
              }
            });
  }

  /** Warns of a misspelt name, which would change nothing without a trace. */
  private static void warnOfUnknown(String name) {
    if (!name.startsWith(OWN + ".")) {
      return;
    }
    String path = "/" + name.replace('.', '/');
    if (Logging.class.getResource(path + "/package-info.class") == null
        && Logging.class.getResource(path + ".class") == null) {
      LoggerFactory.getLogger(Logging.class)
          .atWarn()
          .addKeyValue("name", name)
          .log("log.levels has a name that is no package or class of vertlet; it has no effect");
    }
  }

  /** Brings OpenTelemetry's lines, which use the JDK's logging, into the same output. */
  public static void bridgeTracing() {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      // its lines are the spans
      context.getLogger("io.opentelemetry.exporter.logging").setLevel(Level.INFO);
    }
  }

  /** Logs only warnings, on standard error: for commands whose standard output is their result. */
  public static void warnOnStandardError() {
    if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
      return;
    }
    context.getLogger(OWN).setLevel(Level.WARN);
    consoles(context)
        .forEach(
            console -> {
              console.stop();
              console.setTarget("System.err");
              console.start();
            });
  }

  private static List<ConsoleAppender<ILoggingEvent>> consoles(LoggerContext context) {
    List<ConsoleAppender<ILoggingEvent>> found = new ArrayList<>();
    Iterator<Appender<ILoggingEvent>> appenders =
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
    while (appenders.hasNext()) {
      if (appenders.next() instanceof ConsoleAppender<ILoggingEvent> console) {
        found.add(console);
      }
    }
    return found;
  }
}
