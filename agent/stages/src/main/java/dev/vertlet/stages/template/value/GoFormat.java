package dev.vertlet.stages.template.value;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Go's fmt package: Sprint, Sprintln and Sprintf. */
public final class GoFormat {
  /** Largest width and precision; Go takes larger ones for mistakes. */
  private static final int LARGEST = 1_000_000;

  private GoFormat() {}

  /** One value by {@code %v}. */
  public static String print(@Nullable Object value) {
    if (value instanceof String text) {
      return text;
    }
    StringBuilder out = new StringBuilder();
    new GoPrinter(out).argument(value, 'v');
    return out.toString();
  }

  /** The values with spaces between two that are no strings. */
  public static String print(List<@Nullable Object> values) {
    StringBuilder out = new StringBuilder();
    GoPrinter printer = new GoPrinter(out);
    boolean afterString = true;
    for (Object value : values) {
      boolean isString = GoTypes.kind(value) == GoTypes.Kind.STRING;
      if (!isString && !afterString) {
        out.append(' ');
      }
      printer.argument(value, 'v');
      afterString = isString;
    }
    return out.toString();
  }

  /** The values with spaces between them and a line feed behind. */
  public static String println(List<@Nullable Object> values) {
    StringBuilder out = new StringBuilder();
    GoPrinter printer = new GoPrinter(out);
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) {
        out.append(' ');
      }
      printer.argument(values.get(i), 'v');
    }
    return out.append('\n').toString();
  }

  /** The values in the places of the format's verbs; mistakes are in the result, as in Go. */
  public static String printf(String format, List<@Nullable Object> values) {
    return new Run(format, values).run();
  }

  /** State while one format is read. */
  private static final class Run {
    private final String format;
    private final List<@Nullable Object> values;
    private final StringBuilder out = new StringBuilder();
    private final GoPrinter printer = new GoPrinter(out);
    private int position;
    private int argument;
    private boolean reordered;
    private boolean goodIndex;

    Run(String format, List<@Nullable Object> values) {
      this.format = format;
      this.values = values;
    }

    String run() {
      while (position < format.length()) {
        int percent = format.indexOf('%', position);
        int end = percent < 0 ? format.length() : percent;
        out.append(format, position, end);
        position = end + 1;
        if (percent >= 0) {
          verb();
        }
      }
      if (!reordered && argument < values.size()) {
        extra();
      }
      return out.toString();
    }

    private void verb() {
      goodIndex = true;
      int flagsEnd = position;
      while (flagsEnd < format.length() && "+-# 0".indexOf(format.charAt(flagsEnd)) >= 0) {
        flagsEnd++;
      }
      String set = format.substring(position, flagsEnd);
      position = flagsEnd;
      boolean minus = set.indexOf('-') >= 0;
      boolean zero = set.indexOf('0') >= 0;
      boolean afterIndex = index();
      int width = -1;
      if (at('*')) {
        position++;
        Integer given = integerArgument();
        if (given == null) {
          out.append("%!(BADWIDTH)");
        } else {
          width = Math.abs(given);
          minus |= given < 0;
          zero &= given >= 0;
        }
        afterIndex = false;
      } else {
        width = number();
        goodIndex &= !(afterIndex && width >= 0);
      }
      int precision = -1;
      if (at('.') && position + 1 < format.length()) {
        position++;
        goodIndex &= !afterIndex;
        afterIndex = index();
        if (at('*')) {
          position++;
          Integer given = integerArgument();
          precision = given == null ? -1 : Math.max(given, -1);
          if (precision < 0) {
            out.append("%!(BADPREC)");
          }
          afterIndex = false;
        } else {
          precision = Math.max(0, number());
        }
      }
      if (!afterIndex) {
        index();
      }
      if (position >= format.length()) {
        out.append("%!(NOVERB)");
        return;
      }
      int verb = format.codePointAt(position);
      position += Character.charCount(verb);
      boolean plus = set.indexOf('+') >= 0;
      boolean sharp = set.indexOf('#') >= 0;
      boolean plain = verb == 'v';
      write(
          verb,
          new GoPrinter.Flags(
              plus && !plain,
              minus,
              sharp && !plain,
              set.indexOf(' ') >= 0,
              zero,
              width,
              precision,
              sharp && plain));
    }

    private void write(int verb, GoPrinter.Flags flags) {
      if (verb == '%') {
        out.append('%');
      } else if (!goodIndex) {
        out.append("%!").appendCodePoint(verb).append("(BADINDEX)");
      } else if (argument >= values.size()) {
        out.append("%!").appendCodePoint(verb).append("(MISSING)");
      } else {
        printer.flags(flags);
        // the verb of wrapped errors is none outside of Errorf
        printer.argument(values.get(argument++), verb);
      }
    }

    private void extra() {
      printer.flags(GoPrinter.Flags.NONE);
      out.append("%!(EXTRA ");
      String separator = "";
      for (Object value : values.subList(argument, values.size())) {
        out.append(separator);
        separator = ", ";
        if (value == null) {
          out.append("<nil>");
        } else {
          out.append(GoTypes.name(value)).append('=');
          printer.argument(value, 'v');
        }
      }
      out.append(')');
    }

    private boolean at(char character) {
      return position < format.length() && format.charAt(position) == character;
    }

    /** Reads {@code [3]}; whether there was one. */
    private boolean index() {
      if (!at('[')) {
        return false;
      }
      reordered = true;
      int close = format.indexOf(']', position);
      if (close < 0) {
        position++;
        goodIndex = false;
        return false;
      }
      String digits = format.substring(position + 1, close);
      position = close + 1;
      int index = digits.matches("[0-9]{1,7}") ? Integer.parseInt(digits) : -1;
      if (index < 1 || index > values.size()) {
        goodIndex = false;
        return index >= 0;
      }
      argument = index - 1;
      return true;
    }

    private int number() {
      int start = position;
      while (position < format.length() && "0123456789".indexOf(format.charAt(position)) >= 0) {
        position++;
      }
      if (position == start) {
        return -1;
      }
      String digits = format.substring(start, position);
      // Go looks at a number before it takes the next digit
      int value = digits.length() > 8 ? Integer.MAX_VALUE : Integer.parseInt(digits);
      if (value / 10 > LARGEST) {
        position = format.length();
        return -1;
      }
      return value;
    }

    private @Nullable Integer integerArgument() {
      if (argument >= values.size()) {
        return null;
      }
      Object value = values.get(argument++);
      GoTypes.Kind kind = GoTypes.kind(value);
      if (kind != GoTypes.Kind.INT && kind != GoTypes.Kind.UINT) {
        return null;
      }
      long integer = GoTypes.integer(value);
      return Math.abs(integer) > LARGEST || integer == Long.MIN_VALUE
          ? null
          : (Integer) (int) integer;
    }
  }
}
