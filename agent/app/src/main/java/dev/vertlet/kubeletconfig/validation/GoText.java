package dev.vertlet.kubeletconfig.validation;

import dev.vertlet.env.GoQuote;
import dev.vertlet.model.GoDuration;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Formats values as Go does and words Go's parse errors. */
final class GoText {
  private static final Pattern WHOLE = Pattern.compile("([+-]?)0*([0-9]*)");
  private static final Set<String> FLAGS =
      Set.of("1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False");

  /** Numbers below ten to this power have an exponent, as 1e-05. */
  private static final int LEAST_EXPONENT = -4;

  /** Numbers from ten to this power on have an exponent, as 1e+06. */
  private static final int EXPONENT = 6;

  /** Digits of the largest 64-bit number. */
  private static final int LONGEST = 19;

  private GoText() {}

  /** Formats a duration inside a Go struct. */
  static String held(Duration duration) {
    return "{" + GoDuration.format(duration) + "}";
  }

  /** Formats a floating-point number with the fewest digits that identify it. */
  static String number(double number) {
    BigDecimal exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    if (exact.signum() == 0) {
      return "0";
    }
    int exponent = exact.precision() - exact.scale() - 1;
    if (exponent >= LEAST_EXPONENT && exponent < EXPONENT) {
      return exact.toPlainString();
    }
    String digits = exact.unscaledValue().abs().toString();
    return (exact.signum() < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + "e%s%02d".formatted(exponent < 0 ? "-" : "+", Math.abs(exponent));
  }

  /** Returns why a text is no 64-bit integer; empty when it is one. */
  static Optional<String> notWhole(String text) {
    Matcher whole = WHOLE.matcher(text);
    boolean digits = !text.isEmpty() && Character.isDigit(text.charAt(text.length() - 1));
    if (!digits || !whole.matches()) {
      return Optional.of("strconv.Atoi: parsing %s: invalid syntax".formatted(quoted(text)));
    }
    String number = whole.group(2);
    return number.length() < LONGEST
            || (number.length() == LONGEST
                && new BigInteger(whole.group(1) + number).bitLength() < Long.SIZE)
        ? Optional.empty()
        : Optional.of("strconv.Atoi: parsing %s: value out of range".formatted(quoted(text)));
  }

  /** Returns why a text is no boolean; empty when it is one. */
  static Optional<String> notFlag(String text) {
    return FLAGS.contains(text)
        ? Optional.empty()
        : Optional.of("strconv.ParseBool: parsing %s: invalid syntax".formatted(quoted(text)));
  }

  static boolean isTrue(String flag) {
    return flag.startsWith("1") || flag.startsWith("t") || flag.startsWith("T");
  }

  /** Formats a mistake like Kubernetes' field errors; a text {@code value} is quoted. */
  static String invalid(String field, String value, String problem) {
    return "%s: Invalid value: %s: %s".formatted(field, value, problem);
  }

  static String quoted(String text) {
    return GoQuote.quote(text);
  }
}
