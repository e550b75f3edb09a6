package dev.vertlet.config;

import io.vertx.core.json.Json;

/**
 * One mistake in a configuration.
 *
 * @param pointer JSON pointer of the value, or the file name where no value can be named
 * @param value the value as JSON, shortened when long; empty for none
 * @param allowed the reason and the allowed values
 * @param origin variable or flag that set the value; empty for the file
 */
public record Mistake(String pointer, String value, String allowed, String origin) {
  /** Characters of a value that are shown; the beginning identifies a long value. */
  private static final int SHOWN = 80;

  /** Characters shown of a pointer or of {@code allowed}, either of which may quote the value. */
  private static final int LONGEST = 900;

  /** Creates a mistake about a value that is not allowed. */
  public static Mistake of(String pointer, Object value, String allowed) {
    return new Mistake(pointer, show(value), allowed, "");
  }

  /** Creates a mistake that shows no value. */
  public static Mistake about(String pointer, String message) {
    return new Mistake(pointer, "", message, "");
  }

  Mistake under(String prefix) {
    return new Mistake(prefix + pointer, value, allowed, origin);
  }

  /** Returns the same mistake with the value as it was written. */
  Mistake asWritten(Object written) {
    return value.isEmpty() ? this : new Mistake(pointer, show(written), allowed, origin);
  }

  /** Returns the same mistake at another place. */
  public Mistake at(String place) {
    return new Mistake(place, value, allowed, origin);
  }

  Mistake from(String source) {
    return new Mistake(pointer, value, allowed, source);
  }

  private static String show(Object value) {
    String json = Json.encode(value);
    return cut(json, SHOWN);
  }

  private static String cut(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest) + "…";
  }

  /** Formats the mistake as one line. */
  @Override
  public String toString() {
    return OneLine.of(line());
  }

  private String line() {
    return (pointer.isEmpty() ? "/" : cut(pointer, LONGEST))
        + ": "
        + (value.isEmpty() ? "" : value + " ")
        + cut(allowed, LONGEST)
        + (origin.isEmpty() ? "" : " (set by " + origin + ")");
  }
}
