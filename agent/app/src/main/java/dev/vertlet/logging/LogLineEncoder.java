package dev.vertlet.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.vertlet.config.LogConfig.Format;
import dev.vertlet.problem.OneLine;
import io.vertx.core.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Encodes an event as one line. Text: {@code 12:00:01 INFO message key=value}, in local time. JSON:
 * an object with {@code time}, {@code level}, {@code logger}, {@code thread}, {@code message}, the
 * event's keys such as {@code node}, {@code pod} and {@code error}, and {@code stack} for an
 * exception.
 */
public final class LogLineEncoder extends EncoderBase<ILoggingEvent> {
  /** Keys that the encoder itself writes. */
  private static final Set<String> OWN =
      Set.of("time", "level", "logger", "thread", "message", "stack");

  private static final byte[] NOTHING = {};
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

  /** Read by every thread that logs, written once at start by the main thread. */
  private volatile Format format = Format.TEXT;

  /** Sets {@code text} or {@code json}; for logback.xml. */
  public void setFormat(String name) {
    this.format = Format.valueOf(name.toUpperCase(Locale.ROOT));
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    String line = format == Format.JSON ? json(event) : text(event);
    return line.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(160);
    line.append(TIME.format(event.getInstant()))
        .append(' ')
        .append(String.format(Locale.ROOT, "%-5s", event.getLevel()))
        .append(' ')
        .append(OneLine.of(event.getFormattedMessage()));
    for (KeyValuePair pair : pairs(event)) {
      line.append(' ').append(pair.key).append('=').append(quoted(String.valueOf(pair.value)));
    }
    line.append('\n');
    IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown != null) {
      stack(line, thrown);
    }
    return line.toString();
  }

  /** Indents the stack, because a message in it may have lines that look like the log's own. */
  private static void stack(StringBuilder text, IThrowableProxy thrown) {
    ThrowableProxyUtil.asString(thrown)
        .lines()
        .forEach(line -> text.append('\t').append(OneLine.of(line.strip())).append('\n'));
  }

  /** Quotes only values that would run into their neighbours. */
  private static String quoted(String value) {
    boolean plain =
        !value.isEmpty() && value.chars().noneMatch(c -> c <= ' ' || c == '"' || c == '=');
    return OneLine.of(plain ? value : Json.encode(value));
  }

  private static String json(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(240);
    Instant time = event.getInstant();
    line.append("{\"time\":").append(Json.encode(time.toString()));
    field(line, "level", event.getLevel().toString().toLowerCase(Locale.ROOT));
    field(line, "logger", event.getLoggerName());
    field(line, "thread", event.getThreadName());
    field(line, "message", event.getFormattedMessage());
    for (KeyValuePair pair : pairs(event)) {
      Object value = pair.value;
      field(
          line,
          name(pair.key),
          value instanceof Number || value instanceof Boolean ? value : String.valueOf(value));
    }
    IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown != null) {
      field(line, "stack", ThrowableProxyUtil.asString(thrown));
    }
    return line.append("}\n").toString();
  }

  /** Renames a null key, which would break the JSON, and a repeated key of the line. */
  private static String name(@Nullable String key) {
    return key == null || OWN.contains(key) ? "field." + key : key;
  }

  private static void field(StringBuilder line, String key, Object value) {
    line.append(',').append(Json.encode(key)).append(':').append(Json.encode(value));
  }

  private static List<KeyValuePair> pairs(ILoggingEvent event) {
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    return pairs == null ? List.of() : pairs;
  }
}
