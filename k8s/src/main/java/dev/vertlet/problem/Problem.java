package dev.vertlet.problem;

import io.vertx.core.json.Json;

/**
 * One thing that is wrong with what people wrote.
 *
 * @param pointer JSON pointer of the value, or the file name where no value can be named
 * @param value the value as JSON, shortened when long; empty for none
 * @param allowed the reason and the allowed values
 * @param origin variable or flag that set the value; empty for the file
 */
public record Problem(String pointer, String value, String allowed, String origin) {
  /** A long value names itself well enough by its beginning. */
  private static final int SHOWN = 80;

  /** Characters shown of a pointer or of {@code allowed}, either of which may quote the value. */
  private static final int LONGEST = 900;

  /** A value that is not allowed. */
  public static Problem of(String pointer, Object value, String allowed) {
    return new Problem(pointer, show(value), allowed, "");
  }

  /** Something wrong that has no value to show. */
  public static Problem about(String pointer, String message) {
    return new Problem(pointer, "", message, "");
  }

  /**
   * The same problem of a part of a document.
   *
   * @param prefix where the part is
   */
  public Problem under(String prefix) {
    return new Problem(prefix + pointer, value, allowed, origin);
  }

  /** The same problem, shown with the value as it was written. */
  public Problem asWritten(Object written) {
    return value.isEmpty() ? this : new Problem(pointer, show(written), allowed, origin);
  }

  /** The same problem, elsewhere. */
  public Problem at(String place) {
    return new Problem(place, value, allowed, origin);
  }

  /** The same problem, with the name of the flag or variable its value came from. */
  public Problem from(String source) {
    return new Problem(pointer, value, allowed, source);
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
