package dev.vertlet.apiserver.api;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** The two forms of time on the wire. */
public final class Timestamps {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private Timestamps() {}

  /** RFC 3339 with whole seconds, the form of {@code metav1.Time}. */
  public static String seconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** RFC 3339 with six decimals, the form of {@code metav1.MicroTime}. */
  public static String micros(Instant instant) {
    return MICROS.format(instant);
  }
}
