package dev.vertlet.stages.template.value;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Go's time.Time with the methods that templates call.
 *
 * @param time with its zone
 */
public record TimeValue(ZonedDateTime time) implements ObjectValue {
  /** Go's zero time, which functions return for what is no time. */
  public static final TimeValue ZERO =
      new TimeValue(ZonedDateTime.of(1, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC));

  @Override
  public String typeName() {
    return "time.Time";
  }

  @Override
  public @Nullable Function method(String name) {
    return switch (name) {
      case "Format" -> Function.of("string", a -> TimeLayout.format(time, a.string(0)));
      case "String" -> Function.of("", a -> toString());
      case "Unix" -> Function.of("", a -> GoInteger.int64(time.toEpochSecond()));
      case "UnixMilli" -> Function.of("", a -> GoInteger.int64(time.toInstant().toEpochMilli()));
      case "UnixNano" -> Function.of("", a -> GoInteger.int64(nanoseconds()));
      case "UTC" -> Function.of("", a -> in(ZoneOffset.UTC));
      case "Year" -> Function.of("", a -> (long) time.getYear());
      case "Month" -> Function.of("", a -> new Name("time.Month", month()));
      case "Day" -> Function.of("", a -> (long) time.getDayOfMonth());
      case "Hour" -> Function.of("", a -> (long) time.getHour());
      case "Minute" -> Function.of("", a -> (long) time.getMinute());
      case "Second" -> Function.of("", a -> (long) time.getSecond());
      case "Nanosecond" -> Function.of("", a -> (long) time.getNano());
      case "YearDay" -> Function.of("", a -> (long) time.getDayOfYear());
      case "Weekday" -> Function.of("", a -> new Name("time.Weekday", weekday()));
      case "IsZero" -> Function.of("", a -> time.toInstant().equals(ZERO.time.toInstant()));
      case "Location" -> Function.of("", a -> new Name("*time.Location", location()));
      case "Before" -> Function.of("time", a -> instant().isBefore(instant(a)));
      case "After" -> Function.of("time", a -> instant().isAfter(instant(a)));
      case "Equal" -> Function.of("time", a -> instant().equals(instant(a)));
      default -> null;
    };
  }

  /** The same moment in another zone. */
  public TimeValue in(ZoneId zone) {
    return new TimeValue(time.withZoneSameInstant(zone));
  }

  private Instant instant() {
    return time.toInstant();
  }

  private static Instant instant(Arguments a) {
    if (a.any(0) instanceof TimeValue other) {
      return other.instant();
    }
    throw new IllegalArgumentException("not a time");
  }

  private long nanoseconds() {
    return time.toEpochSecond() * 1_000_000_000L + time.getNano();
  }

  private String month() {
    return TimeLayout.format(time, "January");
  }

  private String weekday() {
    return TimeLayout.format(time, "Monday");
  }

  private String location() {
    return time.getZone().normalized().equals(ZoneOffset.UTC) ? "UTC" : time.getZone().getId();
  }

  @Override
  public String toString() {
    return TimeLayout.format(time, "2006-01-02 15:04:05.999999999 -0700 MST");
  }

  /** A value that prints as a name. */
  private record Name(String typeName, String name) implements ObjectValue {
    @Override
    public @Nullable Function method(String method) {
      return method.equals("String") ? Function.of("", a -> name) : null;
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
