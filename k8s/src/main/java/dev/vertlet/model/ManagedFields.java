package dev.vertlet.model;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/**
 * Takes {@code metadata.managedFields} out of watch events before they are parsed. They are a third
 * of an object, no view has them, and their names, such as <code>k:{"ip":"10.0.0.1"}</code>, are
 * ever new ones: a parser would add each of them to its table of names, which it copies first.
 */
final class ManagedFields {
  private static final byte[] METADATA = "metadata".getBytes(US_ASCII);
  private static final byte[] MANAGED_FIELDS = "managedFields".getBytes(US_ASCII);

  /** Nesting of the keys of an event's {@code object}, and of those of its metadata. */
  private static final int OBJECT = 2;

  private static final int FIELD = 3;

  private ManagedFields() {}

  /**
   * Moves what follows the managed fields over them. They stay where they come first in the
   * metadata, which no API server writes; text that is no JSON stays, too, for a parser to refuse.
   *
   * @param event one watch event in JSON, which is changed
   * @return how many of the bytes are left
   */
  static int cut(byte[] event) {
    int depth = 0;
    boolean metadata = false;
    for (int i = 0; i < event.length; i++) {
      switch (event[i]) {
        case '{', '[' -> depth++;
        case '}', ']' -> {
          if (metadata && depth == FIELD) {
            return event.length;
          }
          depth--;
        }
        case '"' -> {
          int end = endOfText(event, i);
          if (depth == OBJECT) {
            metadata = is(event, i, end, METADATA);
          } else if (metadata && depth == FIELD && is(event, i, end, MANAGED_FIELDS)) {
            return cut(event, i, end);
          }
          i = end;
        }
        default -> {}
      }
    }
    return event.length;
  }

  /** Cuts the comma before the name, and the value. Fields that come first stay. */
  private static int cut(byte[] event, int name, int endOfName) {
    int from = name - 1;
    int to = endOfValue(event, endOfName + 2);
    if (event[from] != ',' || to == event.length) {
      return event.length;
    }
    System.arraycopy(event, to, event, from, event.length - to);
    return event.length - (to - from);
  }

  /** Whether a text is this name and a key: a colon follows, and a value in brackets. */
  private static boolean is(byte[] event, int from, int end, byte[] name) {
    return Arrays.equals(event, from + 1, end, name, 0, name.length)
        && end + 2 < event.length
        && event[end + 1] == ':'
        && (event[end + 2] == '{' || event[end + 2] == '[');
  }

  /** Index after the bracket that closes the one at {@code from}. */
  private static int endOfValue(byte[] event, int from) {
    int depth = 0;
    for (int i = from; i < event.length; i++) {
      switch (event[i]) {
        case '{', '[' -> depth++;
        case '}', ']' -> {
          depth--;
          if (depth == 0) {
            return i + 1;
          }
        }
        case '"' -> i = endOfText(event, i);
        default -> {}
      }
    }
    return event.length;
  }

  /** Index of the quote that ends the text whose first quote is at {@code from}. */
  private static int endOfText(byte[] event, int from) {
    int i = from + 1;
    while (i < event.length && event[i] != '"') {
      i += event[i] == '\\' ? 2 : 1;
    }
    return Math.min(i, event.length - 1);
  }
}
