package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.GoInteger;
import dev.vertlet.stages.template.value.GoNumbers;
import dev.vertlet.stages.template.value.GoQuote;
import dev.vertlet.stages.template.value.TimeLayout;
import dev.vertlet.stages.template.value.TimeValue;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** sprig's functions of dates; the local zone is the clock's. */
final class DateFunctions {
  private static final String DATE = "2006-01-02";

  private final Clock clock;

  private DateFunctions(Clock clock) {
    this.clock = clock;
  }

  static Map<String, Function> all(Clock clock) {
    return new DateFunctions(clock).all();
  }

  private Map<String, Function> all() {
    Map<String, Function> all = new HashMap<>();
    all.put("now", Function.of("", a -> new TimeValue(ZonedDateTime.now(clock))));
    all.put("ago", Function.of("any", this::ago));
    all.put("date", Function.of("string, any", a -> format(a.string(0), a.any(1), null)));
    both(all, "dateInZone", "date_in_zone", inZone());
    both(all, "dateModify", "date_modify", Function.of("string, time", this::modify));
    both(all, "mustDateModify", "must_date_modify", Function.of("string, time", this::mustModify));
    all.put("htmlDate", Function.of("any", a -> format(DATE, a.any(0), null)));
    all.put("htmlDateInZone", Function.of("any, string", a -> format(DATE, a.any(0), a.string(1))));
    all.put("duration", Function.of("any", DateFunctions::duration));
    all.put("durationRound", Function.of("any", this::round));
    all.put("toDate", Function.of("string, string", this::toDate));
    all.put("mustToDate", Function.of("string, string", this::mustToDate));
    all.put(
        "unixEpoch", Function.of("time", a -> Long.toString(time(a, 0).time().toEpochSecond())));
    return all;
  }

  private static void both(Map<String, Function> all, String name, String old, Function function) {
    all.put(name, function);
    all.put(old, function);
  }

  private Function inZone() {
    return Function.of("string, any, string", a -> format(a.string(0), a.any(1), a.string(2)));
  }

  private static TimeValue time(Arguments a, int index) {
    if (a.any(index) instanceof TimeValue time) {
      return time;
    }
    throw new IllegalArgumentException("the signature demands a time");
  }

  /** A time, or seconds since 1970; anything else is now. */
  private ZonedDateTime moment(@Nullable Object value) {
    if (value instanceof TimeValue time) {
      return time.time();
    }
    boolean integer =
        value instanceof GoInteger typed && typed.type() == GoInteger.Type.INT64
            || value instanceof Long;
    if (!integer) {
      return ZonedDateTime.now(clock);
    }
    try {
      return Instant.ofEpochSecond(Casts.toLong(value)).atZone(clock.getZone());
    } catch (DateTimeException e) {
      throw new FunctionException("time out of range: " + value);
    }
  }

  private String format(String layout, @Nullable Object value, @Nullable String zone) {
    ZoneId in = clock.getZone();
    if (zone != null && !zone.equals("Local")) {
      try {
        in = zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone);
      } catch (DateTimeException e) {
        in = ZoneOffset.UTC;
      }
    }
    return TimeLayout.format(moment(value).withZoneSameInstant(in), layout);
  }

  private String ago(Arguments a) {
    long millis = Duration.between(moment(a.any(0)), ZonedDateTime.now(clock)).toMillis();
    return Dates.seconds(Math.round(millis / 1000.0));
  }

  private TimeValue modify(Arguments a) {
    Duration duration = Dates.parse(a.string(0));
    return duration == null ? time(a, 1) : new TimeValue(time(a, 1).time().plus(duration));
  }

  private TimeValue mustModify(Arguments a) {
    if (Dates.parse(a.string(0)) == null) {
      throw new FunctionException("time: invalid duration " + GoQuote.quote(a.string(0)));
    }
    return modify(a);
  }

  private static String duration(Arguments a) {
    Object value = a.any(0);
    long seconds = value instanceof GoInteger ? Casts.toLong(value) : 0;
    if (value instanceof String text) {
      Long parsed = GoNumbers.parseInteger(text, 10);
      seconds = parsed == null ? 0 : parsed;
    }
    return Dates.seconds(seconds);
  }

  private String round(Arguments a) {
    Object value = a.any(0);
    Duration duration = Duration.ZERO;
    if (value instanceof String text) {
      Duration parsed = Dates.parse(text);
      duration = parsed == null ? Duration.ZERO : parsed;
    } else if (value instanceof GoInteger) {
      duration = Duration.ofNanos(Casts.toLong(value));
    } else if (value instanceof TimeValue time) {
      duration = Duration.between(time.time(), ZonedDateTime.now(clock));
    }
    Duration size = duration.abs();
    String[] names = {"y", "mo", "d", "h", "m", "s"};
    long[] seconds = {31_536_000, 2_592_000, 86_400, 3_600, 60, 1};
    for (int i = 0; i < names.length; i++) {
      if (size.compareTo(Duration.ofSeconds(seconds[i])) > 0) {
        return size.toSeconds() / seconds[i] + names[i];
      }
    }
    return "0s";
  }

  private TimeValue toDate(Arguments a) {
    try {
      return mustToDate(a);
    } catch (FunctionException e) {
      return TimeValue.ZERO;
    }
  }

  private TimeValue mustToDate(Arguments a) {
    return new TimeValue(TimeLayout.parse(a.string(0), a.string(1), clock.getZone()));
  }
}
