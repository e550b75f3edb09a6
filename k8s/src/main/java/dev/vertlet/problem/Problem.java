package dev.vertlet.problem;

import io.vertx.core.json.Json;

/**
 * One thing that is wrong with what people wrote.
 *
 * @param pointer JSON pointer of the value, or the file where no value can be pointed at
 * @param value as JSON, cut when long; empty where there is none to show
 * @param allowed what is wrong and what would be right
 * @param origin the variable or flag the value came from; empty for the file
 */
public record Problem(String pointer, String value, String allowed, String origin) {
  /** A long value names itself well enough by its beginning. */
  private static final int SHOWN = 80;

  /** Of a place or of what is allowed, which may quote the value; whoever reads it has enough. */
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

  /** One line for people. */
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
