package dev.vertlet.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.vertlet.config.LogConfig;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

class LoggingTest {
  private final LogLineEncoder lines = new LogLineEncoder();

  private static LoggingEvent event() {
    return event("lease acquired");
  }

  private static LoggingEvent event(String message) {
    LoggingEvent event = new LoggingEvent();
    event.setLoggerContext(new LoggerContext());
    event.setLoggerName("dev.vertlet.lease.LeaseVerticle");
    event.setLevel(Level.INFO);
    event.setMessage(message);
    event.setThreadName("main-1");
    event.setInstant(Instant.parse("2026-01-02T03:04:05Z"));
    event.setKeyValuePairs(
        List.of(
            new KeyValuePair("node", "a"),
            new KeyValuePair("error", "no route to \"x\""),
            new KeyValuePair("attempt", 3)));
    return event;
  }

  private String encode(LoggingEvent event) {
    return new String(lines.encode(event), StandardCharsets.UTF_8);
  }

  /** Of loggers that nobody else here uses. */
  @Test
  void singleLoggersHaveLevelsUntilTheyHaveNone() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    Level own = context.getLogger("dev.vertlet").getLevel();
    LogConfig.Level all =
        own == null ? LogConfig.Level.INFO : LogConfig.Level.valueOf(own.toString());
    Map<String, LogConfig.Level> levels =
        Map.of("nobody", LogConfig.Level.TRACE, "org.example.nobody", LogConfig.Level.ERROR);

    Logging.apply(new LogConfig(all, LogConfig.Format.TEXT, levels));
    Level below = context.getLogger("dev.vertlet.nobody.Class").getEffectiveLevel();
    Level other = context.getLogger("org.example.nobody").getLevel();
    Logging.apply(new LogConfig(all, LogConfig.Format.TEXT, Map.of()));

    assertThat(below).isEqualTo(Level.TRACE);
    assertThat(other).isEqualTo(Level.ERROR);
    assertThat(context.getLogger("dev.vertlet.nobody").getLevel()).isNull();
    assertThat(context.getLogger("org.example.nobody").getLevel()).isNull();
    context.getLogger("dev.vertlet").setLevel(own);
  }

  @Test
  void textIsOneCalmLine() {
    assertThat(encode(event()))
        .matches(
            "\\d\\d:\\d\\d:05 INFO  lease acquired node=a error=\"no route to \\\\\"x\\\\\"\""
                + " attempt=3\n");
  }

  @Test
  void jsonIsOneObject() {
    lines.setFormat("json");

    JsonObject line = new JsonObject(encode(event()));

    assertThat(line)
        .isEqualTo(
            new JsonObject()
                .put("time", "2026-01-02T03:04:05Z")
                .put("level", "info")
                .put("logger", "dev.vertlet.lease.LeaseVerticle")
                .put("thread", "main-1")
                .put("message", "lease acquired")
                .put("node", "a")
                .put("error", "no route to \"x\"")
                .put("attempt", 3));
  }

  @Test
  void aLineIsOneWhateverStandsInIt() {
    String hostile = "a\nb\r\"c\\\u0000\u001b[31m\u0085\u2028\ud800 {\"time\":1}";
    LoggingEvent event = event(hostile);
    event.setKeyValuePairs(
        List.of(
            new KeyValuePair("pod", hostile),
            new KeyValuePair(null, "no key"),
            new KeyValuePair("time", "later"),
            new KeyValuePair("level", null),
            new KeyValuePair("rate", Double.NaN)));
    event.setThrowableProxy(
        new ch.qos.logback.classic.spi.ThrowableProxy(new IllegalStateException(hostile)));

    lines.setFormat("json");
    String json = encode(event);

    assertThat(json.strip()).doesNotContainPattern("[\n\r\u0000]");
    JsonObject line = new JsonObject(json);
    assertThat(line.getString("message")).isEqualTo(hostile.replace('\ud800', '?'));
    assertThat(line.getString("time")).isEqualTo("2026-01-02T03:04:05Z");
    assertThat(line.getString("field.time")).isEqualTo("later");
    assertThat(line.getString("field.null")).isEqualTo("no key");
    assertThat(line.getString("stack")).contains("IllegalStateException", "\n\tat ");
  }

  @Test
  void nothingInATextEndsItsLine() {
    LoggingEvent event = event("a\n12:00:00 INFO  forged\u001b[2J");

    assertThat(encode(event))
        .contains("a\\n12:00:00 INFO  forged\\u001b[2J")
        .endsWith("\n")
        .hasLineCount(1);
  }

  @Test
  void aStackIsIndentedWhateverItsMessagesSay() {
    LoggingEvent event = event();
    event.setThrowableProxy(
        new ch.qos.logback.classic.spi.ThrowableProxy(
            new IllegalStateException(
                "a\n12:00:00 INFO  forged\u001b[2J", new IllegalArgumentException("b\nc"))));

    List<String> text = encode(event).lines().toList();

    assertThat(text).hasSizeGreaterThan(5);
    assertThat(text.subList(1, text.size()))
        .allMatch(line -> line.startsWith("\t"))
        .anyMatch(line -> line.startsWith("\t12:00:00 INFO  forged\\u001b[2J"))
        .anyMatch(line -> line.startsWith("\tat dev.vertlet.logging.LoggingTest"));
  }

  @Test
  void aStackFollowsItsLine() {
    LoggingEvent event = event();
    event.setThrowableProxy(
        new ch.qos.logback.classic.spi.ThrowableProxy(new IllegalStateException("x")));

    assertThat(encode(event)).contains("\n\tjava.lang.IllegalStateException: x").endsWith("\n");
    lines.setFormat("json");
    assertThat(encode(event).lines()).hasSize(1);
  }
}
