package dev.vertlet.config.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.ContentReference;
import org.jspecify.annotations.Nullable;

/**
 * Explains a JSON syntax error: the text that was found and the text that was expected. The
 * parser's own messages name its classes and options; they only serve to tell the cases apart here,
 * and an unrecognized case gets a general text.
 */
final class JsonFault {
  private static final String KEY = "a key in double quotes";
  private static final String KINDS =
      ": a text in double quotes, a number, true, false, null, an object or a list";

  private final String text;
  private final String message;
  private final int offset;
  private final @Nullable JsonStreamContext within;

  private JsonFault(String text, JsonProcessingException fault) {
    this.text = text;
    this.message = fault.getOriginalMessage();
    JsonLocation at = fault.getLocation();
    long place = at == null ? -1 : at.getCharOffset();
    this.offset = place < 0 || place > text.length() ? text.length() : (int) place;
    this.within = fault.getProcessor() instanceof JsonParser p ? p.getParsingContext() : null;
  }

  /**
   * Words the error.
   *
   * @param fault the parser's error for this text
   */
  static String words(String text, JsonProcessingException fault) {
    return fault instanceof StreamConstraintsException
        ? "a key, a text or a number in it is too long, or too many lists and objects stand in one"
            + " another"
        : new JsonFault(text, fault).words();
  }

  private String words() {
    if (has("Unexpected end-of-input")) {
      return "it ends too early; expected " + missing();
    }
    if (has("Illegal unquoted character")) {
      return unquoted();
    }
    if (has("character escape")) {
      return "a \\ in a text must stand before one of \" \\ / b f n r t, or before u and four hex"
          + " digits";
    }
    if (has("numeric value") || has("Non-standard token")) {
      return "no number of JSON; expected one such as 12, -0.5 or 1e3";
    }
    if (has("Illegal character")) {
      return "a control character stands before this place; take it out";
    }
    if (has("Unexpected close marker")) {
      return open() ? where(end()) + opened() : where("nothing more");
    }
    if (has("comma to separate")) {
      return where("a comma or " + end());
    }
    if (has("a colon")) {
      return where("a colon");
    }
    if (has("start field name")) {
      return before() == ',' ? where(KEY) + advice() : where(KEY + " or }");
    }
    if (has("expected a value") || has("expected a valid value") || has("Unrecognized token")) {
      return where("a value") + (advice().isEmpty() ? KINDS : advice());
    }
    return found() + " stands where it means nothing";
  }

  private boolean has(String words) {
    return message.contains(words);
  }

  private String missing() {
    if (has("closing quote") || has("in field name") || has("in character escape")) {
      return "the \" that closes a text";
    }
    if (has("following sign")) {
      return "a digit";
    }
    return open() ? end() + opened() : "more";
  }

  private String unquoted() {
    char character = offset < text.length() ? text.charAt(offset) : ' ';
    return character == '\n' || character == '\r'
        ? "a line ends within a text; expected the \" that closes it, or \\n"
        : "a text holds the character U+%1$04X, which must be written as \\u%1$04x"
            .formatted((int) character);
  }

  private String where(String expected) {
    return found() + " stands where " + expected + " was expected";
  }

  /** Returns the word or character at the error. */
  private String found() {
    int end = offset;
    while (end < text.length() && Character.isLetterOrDigit(text.charAt(end))) {
      end++;
    }
    if (end > offset) {
      return "\"" + text.substring(offset, end) + "\"";
    }
    if (offset == text.length()) {
      return "the end";
    }
    int character = text.codePointAt(offset);
    boolean seen =
        switch (Character.getType(character)) {
          case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED ->
              false;
          default -> !Character.isSpaceChar(character);
        };
    return seen ? "\"" + Character.toString(character) + "\"" : "U+%04X".formatted(character);
  }

  /** Suggests the most frequent cause: a comma after the last element. */
  private String advice() {
    char here = offset < text.length() ? text.charAt(offset) : ' ';
    return before() == ',' && (here == '}' || here == ']') ? "; take out the comma before it" : "";
  }

  /** Returns the last significant character before the error; a space when there is none. */
  private char before() {
    String earlier = text.substring(0, offset).stripTrailing();
    return earlier.isEmpty() ? ' ' : earlier.charAt(earlier.length() - 1);
  }

  private boolean open() {
    return within != null && !within.inRoot();
  }

  private String end() {
    return within != null && within.inObject() ? "}" : "]";
  }

  /** Returns where the innermost object or list begins. */
  private String opened() {
    if (within == null) {
      return "";
    }
    JsonLocation start = within.startLocation(ContentReference.unknown());
    return " for the %s of line %d, column %d"
        .formatted(within.inObject() ? "{" : "[", start.getLineNr(), start.getColumnNr());
  }
}
