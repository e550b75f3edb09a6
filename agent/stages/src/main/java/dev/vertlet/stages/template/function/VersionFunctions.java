package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.VersionValue;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code semver} and {@code semverCompare}. */
final class VersionFunctions {
  private static final Pattern PART =
      Pattern.compile(
          "\\s*(=|!=|>|<|>=|=>|<=|=<|~|~>|\\^)?\\s*v?([0-9]+|[xX*])(?:\\.([0-9]+|[xX*]))?(?:\\.([0-9]+|[xX*]))?"
              + "(-[0-9A-Za-z.-]+)?(?:\\+[0-9A-Za-z.-]+)?\\s*(?:,|(?=\\s|$|[=!<>~^]))");
  private static final Pattern RANGE = Pattern.compile("\\s*(\\S+)\\s+-\\s+(\\S+)\\s*");

  private VersionFunctions() {}

  static Map<String, Function> all() {
    return Map.of(
        "semver",
        Function.of("string", a -> VersionValue.of(a.string(0))),
        "semverCompare",
        Function.of("string, string", a -> matches(a.string(0), a.string(1))));
  }

  private static boolean matches(String constraint, String version) {
    boolean any = false;
    // all alternatives are read: a mistake in the second one is one, too
    VersionValue parsed = null;
    for (String alternative : constraint.split("\\|\\|", -1)) {
      checkForm(constraint, alternative);
    }
    parsed = VersionValue.of(version);
    for (String alternative : constraint.split("\\|\\|", -1)) {
      any |= all(expand(alternative), parsed);
    }
    return any;
  }

  private static String expand(String alternative) {
    return RANGE.matcher(alternative).replaceAll(">=$1, <=$2");
  }

  private static void checkForm(String constraint, String alternative) {
    Matcher parts = PART.matcher(expand(alternative));
    int end = 0;
    while (end < expand(alternative).length()) {
      parts.region(end, expand(alternative).length());
      if (!parts.lookingAt()) {
        throw new FunctionException("improper constraint: " + constraint);
      }
      end = parts.end();
    }
    if (end == 0) {
      throw new FunctionException("improper constraint: " + constraint);
    }
  }

  private static boolean all(String alternative, VersionValue version) {
    Matcher parts = PART.matcher(alternative);
    boolean all = true;
    while (parts.lookingAt()) {
      all &= one(parts, version);
      if (parts.end() >= alternative.length()) {
        break;
      }
      parts.region(parts.end(), alternative.length());
    }
    return all;
  }

  private static boolean one(Matcher part, VersionValue version) {
    String operator = part.group(1) == null ? "" : part.group(1);
    int given = given(part);
    String prerelease = part.group(5) == null ? "" : part.group(5).substring(1);
    VersionValue low =
        new VersionValue(
            number(part.group(2)),
            number(part.group(3)),
            number(part.group(4)),
            prerelease,
            "",
            "");
    if (!version.prerelease().isEmpty() && prerelease.isEmpty() && !operator.equals("!=")) {
      return false;
    }
    boolean atLeast = version.compareTo(low) >= 0;
    boolean below = given == 0 || version.compareTo(next(low, given)) < 0;
    return switch (operator) {
      case "", "=" -> given == 3 ? version.compareTo(low) == 0 : atLeast && below;
      case "!=" -> given == 3 ? version.compareTo(low) != 0 : !(atLeast && below);
      case ">" -> given == 3 ? version.compareTo(low) > 0 : !below;
      case ">=", "=>" -> atLeast;
      case "<" -> !atLeast;
      case "<=", "=<" -> given == 3 ? version.compareTo(low) <= 0 : below;
      case "~", "~>" ->
          atLeast && (given == 0 || version.compareTo(next(low, Math.min(given, 2))) < 0);
      default -> atLeast && (given == 0 || version.compareTo(nextIncompatible(low, given)) < 0);
    };
  }

  /** How many of major, minor and patch are given and not wildcards. */
  private static int given(Matcher part) {
    int given = 0;
    while (given < 3 && part.group(given + 2) != null && isNumber(part.group(given + 2))) {
      given++;
    }
    return given;
  }

  private static boolean isNumber(String text) {
    return Character.isDigit(text.charAt(0));
  }

  private static long number(@Nullable String text) {
    if (text == null || !isNumber(text)) {
      return 0;
    }
    if (text.length() > 18) {
      throw new FunctionException("improper constraint: " + text);
    }
    return Long.parseLong(text);
  }

  /** The first version behind those that begin with the first {@code given} numbers. */
  private static VersionValue next(VersionValue version, int given) {
    return switch (given) {
      case 1 -> release(version.major() + 1, 0, 0);
      case 2 -> release(version.major(), version.minor() + 1, 0);
      default -> release(version.major(), version.minor(), version.patch() + 1);
    };
  }

  /** The first number that is not zero must not change. */
  private static VersionValue nextIncompatible(VersionValue version, int given) {
    if (version.major() > 0 || given == 1) {
      return next(version, 1);
    }
    return version.minor() > 0 || given == 2 ? next(version, 2) : next(version, 3);
  }

  private static VersionValue release(long major, long minor, long patch) {
    return new VersionValue(major, minor, patch, "", "", "");
  }
}
