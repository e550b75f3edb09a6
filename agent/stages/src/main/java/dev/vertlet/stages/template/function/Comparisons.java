package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Element;
import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.GoFormat;
import dev.vertlet.stages.template.value.GoTypes;
import dev.vertlet.stages.template.value.GoTypes.Kind;
import dev.vertlet.stages.template.value.ObjectValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code eq}, {@code ne}, {@code lt}, {@code le}, {@code gt} and {@code ge}. */
final class Comparisons {
  private Comparisons() {}

  static Map<String, Function> all() {
    return Map.of(
        "eq", Function.of("value, ...value", Comparisons::equal),
        "ne", Function.of("value, value", a -> !equals(first(a), second(a))),
        "lt", Function.of("value, value", a -> less(first(a), second(a))),
        "le", Function.of("value, value", a -> lessOrEqual(first(a), second(a))),
        "gt", Function.of("value, value", a -> !lessOrEqual(first(a), second(a))),
        "ge", Function.of("value, value", a -> !less(first(a), second(a))));
  }

  private static @Nullable Object first(Arguments arguments) {
    return Element.unwrap(arguments.any(0));
  }

  private static @Nullable Object second(Arguments arguments) {
    return Element.unwrap(arguments.any(1));
  }

  private static Object equal(Arguments arguments) {
    if (arguments.size() == 1) {
      throw new FunctionException("missing argument for comparison");
    }
    for (Object other : arguments.from(1)) {
      if (equals(first(arguments), Element.unwrap(other))) {
        return true;
      }
    }
    return false;
  }

  private static boolean equals(@Nullable Object left, @Nullable Object right) {
    if (left == null || right == null) {
      return left == right;
    }
    Kind leftKind = GoTypes.kind(left);
    Kind rightKind = GoTypes.kind(right);
    if (basic(leftKind) != basic(rightKind) || basic(leftKind) && leftKind != rightKind) {
      if (isInteger(leftKind) && isInteger(rightKind)) {
        // an int and an unsigned integer
        return GoTypes.integer(left) >= 0
            && GoTypes.integer(right) >= 0
            && GoTypes.integer(left) == GoTypes.integer(right);
      }
      throw incompatible(left, right);
    }
    return switch (leftKind) {
      case BOOL -> left.equals(right);
      case FLOAT -> ((Double) left).doubleValue() == (Double) right;
      case INT, UINT -> GoTypes.integer(left) == GoTypes.integer(right);
      case STRING -> left.toString().equals(right.toString());
      default -> equalsComposite(left, right);
    };
  }

  private static boolean equalsComposite(Object left, Object right) {
    if (GoTypes.kind(left) != GoTypes.kind(right)) {
      throw new FunctionException(
          "non-comparable types "
              + GoFormat.printf("%s", java.util.Arrays.asList(left))
              + ": "
              + GoTypes.name(left)
              + ", "
              + GoTypes.name(right)
              + ": "
              + GoFormat.print(right));
    }
    if (right instanceof ObjectValue) {
      return left.equals(right);
    }
    throw new FunctionException(
        "non-comparable type "
            + GoFormat.printf("%s", java.util.Arrays.asList(right))
            + ": "
            + GoTypes.name(right));
  }

  private static boolean less(@Nullable Object left, @Nullable Object right) {
    Kind leftKind = GoTypes.kind(left);
    Kind rightKind = GoTypes.kind(right);
    if (left == null || right == null || !basic(leftKind) || !basic(rightKind)) {
      throw badType();
    }
    if (leftKind != rightKind) {
      if (!isInteger(leftKind) || !isInteger(rightKind)) {
        throw incompatible(left, right);
      }
      long leftBits = GoTypes.integer(left);
      long rightBits = GoTypes.integer(right);
      return leftKind == Kind.INT
          ? leftBits < 0 || Long.compareUnsigned(leftBits, rightBits) < 0
          : rightBits >= 0 && Long.compareUnsigned(leftBits, rightBits) < 0;
    }
    return switch (leftKind) {
      case FLOAT -> (Double) left < (Double) right;
      case INT -> GoTypes.integer(left) < GoTypes.integer(right);
      case UINT -> Long.compareUnsigned(GoTypes.integer(left), GoTypes.integer(right)) < 0;
      case STRING -> Texts.compare(left.toString(), right.toString()) < 0;
      default -> throw badType();
    };
  }

  private static boolean lessOrEqual(@Nullable Object left, @Nullable Object right) {
    return less(left, right) || equals(left, right);
  }

  private static boolean isInteger(Kind kind) {
    return kind == Kind.INT || kind == Kind.UINT;
  }

  private static boolean basic(Kind kind) {
    return isInteger(kind) || kind == Kind.BOOL || kind == Kind.FLOAT || kind == Kind.STRING;
  }

  private static FunctionException badType() {
    return new FunctionException("invalid type for comparison");
  }

  private static FunctionException incompatible(@Nullable Object left, @Nullable Object right) {
    return new FunctionException(
        "incompatible types for comparison: " + GoTypes.name(left) + " and " + GoTypes.name(right));
  }
}
