package dev.vertlet.stages.expression;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.GoDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Delay before a stage is played. */
public final class StageDelay {
  static final StageDelay NONE = new StageDelay(null, null, null, null);

  private final @Nullable Long millis;
  private final @Nullable CompiledValue from;
  private final @Nullable Long jitterMillis;
  private final @Nullable CompiledValue jitterFrom;

  StageDelay(
      @Nullable Long millis,
      @Nullable CompiledValue from,
      @Nullable Long jitterMillis,
      @Nullable CompiledValue jitterFrom) {
    this.millis = millis;
    this.from = from;
    this.jitterMillis = jitterMillis;
    this.jitterFrom = jitterFrom;
  }

  /**
   * Range that a delay is drawn from.
   *
   * @param min may be negative: the time has passed
   * @param max exclusive, unless it equals {@code min}
   */
  public record Range(Duration min, Duration max) {
    /**
     * Draws a delay.
     *
     * @param unit from 0 to 1
     */
    public Duration at(double unit) {
      long width = max.toNanos() - min.toNanos();
      return min.plusNanos((long) (width * unit));
    }
  }

  /**
   * Resolves the delay for an object.
   *
   * @param begin from when it counts; an expression that yields a time means the time from then
   * @return empty for no delay
   */
  public Optional<Range> of(JsonNode object, Instant begin) {
    if (millis == null) {
      return Optional.empty();
    }
    Optional<Duration> duration = value(from, millis, object, begin);
    if (duration.isEmpty()) {
      return Optional.empty();
    }
    Duration min = duration.get();
    boolean jitters = jitterMillis != null || jitterFrom != null;
    Optional<Duration> jitter =
        jitters ? value(jitterFrom, jitterMillis, object, begin) : Optional.empty();
    if (jitter.isEmpty()) {
      return Optional.of(new Range(min, min));
    }
    // a jitter up to the duration replaces it, as in KWOK
    Duration max = jitter.get();
    return Optional.of(max.compareTo(min) <= 0 ? new Range(max, max) : new Range(min, max));
  }

  private static Optional<Duration> value(
      @Nullable CompiledValue from, @Nullable Long millis, JsonNode object, Instant begin) {
    Object value = from == null ? null : from.of(object);
    if (value instanceof JsonNode node && node.isTextual()) {
      value = node.textValue();
    }
    if (value instanceof String text) {
      if (text.isEmpty()) {
        return Optional.empty();
      }
      Optional<Duration> parsed = parse(text, begin);
      if (parsed.isPresent()) {
        return parsed;
      }
    } else if (value instanceof com.google.protobuf.Duration duration) {
      return Optional.of(Duration.ofNanos(CelTimes.nanos(duration)));
    } else if (value instanceof Number nanos) {
      return Optional.of(Duration.ofNanos(nanos.longValue()));
    }
    return millis == null ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
  }

  private static Optional<Duration> parse(String text, Instant begin) {
    try {
      return Optional.of(Duration.between(begin, OffsetDateTime.parse(text).toInstant()));
    } catch (DateTimeException | ArithmeticException e) {
      // no time
    }
    try {
      return Optional.of(GoDuration.parse(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
