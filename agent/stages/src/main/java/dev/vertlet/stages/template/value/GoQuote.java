package dev.vertlet.stages.template.value;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Locale;

/** Quoted strings and characters, as Go's strconv package writes and reads them. */
public final class GoQuote {
  private static final String SIMPLE = "abfnrtv\\";
  private static final String SIMPLE_VALUES = "\u0007\b\f\n\r\t\u000b\\";
  private static final String INVALID = "invalid syntax";

  private GoQuote() {}

  /** Number of bytes of the UTF-8 form. */
  public static int utf8Length(String text) {
    int length = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x800 && !Character.isSurrogate(c)) {
        length += 2;
      } else if (c >= 0x80) {
        // each half of a pair counts two
        length++;
      }
    }
    return length;
  }

  /** The string in double quotes; printable characters as they are. */
  public static String quote(String text) {
    return quote(text, '"', false);
  }

  /** The string in quotes, with escapes for all but ASCII if asked for. */
  public static String quote(String text, char quote, boolean ascii) {
    StringBuilder out = new StringBuilder(text.length() + 2).append(quote);
    text.codePoints().forEach(c -> escape(out, c, quote, ascii));
    return out.append(quote).toString();
  }

  private static void escape(StringBuilder out, int c, char quote, boolean ascii) {
    int simple = SIMPLE_VALUES.indexOf(c);
    if (c == quote || c == '\\') {
      out.append('\\').append((char) c);
    } else if (isPrint(c) && (!ascii || c < 0x80)) {
      out.appendCodePoint(c);
    } else if (simple >= 0) {
      out.append('\\').append(SIMPLE.charAt(simple));
    } else if (c < ' ' || c == 0x7f) {
      out.append(String.format(Locale.ROOT, "\\x%02x", c));
    } else if (c < 0x10000) {
      out.append(String.format(Locale.ROOT, "\\u%04x", c));
    } else {
      out.append(String.format(Locale.ROOT, "\\U%08x", c));
    }
  }

  /** Whether Go prints a character as it is: letters, marks, numbers, signs and the space. */
  public static boolean isPrint(int c) {
    if (c < 0x80) {
      return c >= ' ' && c < 0x7f;
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR ->
          false;
      default -> true;
    };
  }

  /** The character as {@code U+0041}, with {@code 'A'} behind it if asked for and printable. */
  public static String unicode(int c, boolean shown) {
    if (c < 0) {
      return "U+FFFFFFFFFFFFFFFF";
    }
    String code = String.format(Locale.ROOT, "U+%04X", c);
    return shown && isPrint(c) ? code + " '" + Character.toString(c) + "'" : code;
  }

  /**
   * The string that a literal in double or back quotes means.
   *
   * @throws IllegalArgumentException for an escape that there is not
   */
  public static String unquote(String literal) {
    String inside = literal.substring(1, literal.length() - 1);
    if (literal.charAt(0) == '`') {
      return inside.replace("\r", "");
    }
    if (inside.indexOf('\\') < 0) {
      return inside;
    }
    Reader reader = new Reader(inside, '"');
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    while (!reader.atEnd()) {
      int c = reader.next();
      if (reader.isByte) {
        out.write(c);
      } else {
        out.writeBytes(Character.toString(c).getBytes(UTF_8));
      }
    }
    return out.toString(UTF_8);
  }

  /**
   * The character that a literal in single quotes means.
   *
   * @throws IllegalArgumentException if it is not exactly one character
   */
  public static int unquoteCharacter(String literal) {
    Reader reader = new Reader(literal.substring(1), '\'');
    int c = reader.next();
    if (reader.position != literal.length() - 2) {
      throw new IllegalArgumentException("malformed character constant: " + literal);
    }
    return c;
  }

  /** Reads one character or escape after the other. */
  private static final class Reader {
    private final String text;
    private final char quote;
    private int position;
    private boolean isByte;

    Reader(String text, char quote) {
      this.text = text;
      this.quote = quote;
    }

    boolean atEnd() {
      return position >= text.length();
    }

    int next() {
      isByte = false;
      int c = take();
      if (c == quote) {
        throw new IllegalArgumentException(INVALID);
      }
      if (c != '\\') {
        return c;
      }
      int escape = take();
      int simple = SIMPLE.indexOf(escape);
      if (simple >= 0) {
        return SIMPLE_VALUES.charAt(simple);
      }
      if (escape == quote) {
        return escape;
      }
      switch (escape) {
        case 'x':
          isByte = true;
          return digits(2, 16);
        case 'u':
          return character(digits(4, 16));
        case 'U':
          return character(digits(8, 16));
        default:
          position--;
          isByte = true;
          int octal = digits(3, 8);
          if (octal > 255) {
            throw new IllegalArgumentException(INVALID);
          }
          return octal;
      }
    }

    private int take() {
      if (atEnd()) {
        throw new IllegalArgumentException(INVALID);
      }
      int c = text.codePointAt(position);
      position += Character.charCount(c);
      return c;
    }

    private int digits(int count, int radix) {
      long value = 0;
      for (int i = 0; i < count; i++) {
        int c = take();
        int digit = c < 0x80 ? Character.digit(c, radix) : -1;
        if (digit < 0) {
          throw new IllegalArgumentException(INVALID);
        }
        value = value * radix + digit;
      }
      return value > Integer.MAX_VALUE ? Integer.MAX_VALUE : (int) value;
    }

    private static int character(int c) {
      if (!Character.isValidCodePoint(c) || c >= 0xd800 && c < 0xe000) {
        throw new IllegalArgumentException(INVALID);
      }
      return c;
    }
  }
}
