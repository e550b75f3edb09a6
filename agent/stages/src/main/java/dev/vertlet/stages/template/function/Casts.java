package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.GoFormat;
import dev.vertlet.stages.template.value.GoNumbers;
import dev.vertlet.stages.template.value.GoTypes;
import dev.vertlet.stages.template.value.JsonNumber;
import dev.vertlet.stages.template.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Conversions that sprig makes of any value; what does not fit is zero. */
final class Casts {
  private static final Pattern ZERO_DECIMALS = Pattern.compile("\\.0+$");

  private Casts() {}

  static long toLong(@Nullable Object value) {
    if (value == null) {
      return 0;
    }
    if (value instanceof String || value instanceof JsonNumber) {
      Long integer =
          GoNumbers.parseInteger(ZERO_DECIMALS.matcher(value.toString()).replaceFirst(""), 0);
      return integer == null ? 0 : integer;
    }
    return switch (GoTypes.kind(value)) {
      case INT, UINT -> GoTypes.integer(value);
      case FLOAT -> truncate((Double) value);
      case BOOL -> Boolean.TRUE.equals(value) ? 1 : 0;
      default -> 0;
    };
  }

  /** As a processor of the x86 family does it: what is too large is the smallest number. */
  private static long truncate(double value) {
    boolean fits = value >= -0x1p63 && value < 0x1p63;
    return fits ? (long) value : Long.MIN_VALUE;
  }

  static double toDouble(@Nullable Object value) {
    if (value == null) {
      return 0;
    }
    if (value instanceof String || value instanceof JsonNumber) {
      Double real = GoNumbers.parseFloat(value.toString());
      return real == null ? 0 : real;
    }
    return switch (GoTypes.kind(value)) {
      case INT -> GoTypes.integer(value);
      case UINT -> GoTypes.integer(value);
      case FLOAT -> (Double) value;
      case BOOL -> Boolean.TRUE.equals(value) ? 1 : 0;
      default -> 0;
    };
  }

  static String toText(@Nullable Object value) {
    return value instanceof ObjectValue ? value.toString() : GoFormat.print(value);
  }

  /** Elements of a list that are not nil as strings; anything else is a list of one. */
  static List<String> toTexts(@Nullable Object value) {
    List<String> texts = new ArrayList<>();
    if (value instanceof List<?> list) {
      for (Object element : list) {
        if (element != null) {
          texts.add(toText(element));
        }
      }
    } else if (value != null) {
      texts.add(toText(value));
    }
    return texts;
  }

  static boolean isEmpty(@Nullable Object value) {
    return !GoTypes.isTrue(value);
  }

  /** The argument as a list, or an error that begins with the sentence. */
  static List<?> list(@Nullable Object value, String cannot) {
    if (value instanceof List<?> list) {
      return list;
    }
    if (value == null) {
      throw new FunctionException(
          "runtime error: invalid memory address or nil pointer dereference");
    }
    throw new FunctionException(cannot + " " + GoTypes.kindName(value));
  }
}
