package dev.vertlet.stages.template.value;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A semantic version; minor and patch may be missing in the text.
 *
 * @param prerelease behind the hyphen, or empty
 * @param metadata behind the plus sign, or empty
 * @param original the text
 */
public record VersionValue(
    long major, long minor, long patch, String prerelease, String metadata, String original)
    implements ObjectValue, Comparable<VersionValue> {
  private static final Pattern FORM =
      Pattern.compile(
          "v?([0-9]{1,18})(?:\\.([0-9]{1,18}))?(?:\\.([0-9]{1,18}))?"
              + "(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?");

  /**
   * Reads a version.
   *
   * @throws FunctionException if the text is none
   */
  public static VersionValue of(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new FunctionException("Invalid Semantic Version");
    }
    return new VersionValue(
        Long.parseLong(matcher.group(1)),
        number(matcher.group(2)),
        number(matcher.group(3)),
        matcher.group(4) == null ? "" : matcher.group(4),
        matcher.group(5) == null ? "" : matcher.group(5),
        text);
  }

  private static long number(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  @Override
  public String typeName() {
    return "*semver.Version";
  }

  @Override
  public @Nullable Function method(String name) {
    return switch (name) {
      case "Major" -> Function.of("", a -> new GoInteger(GoInteger.Type.UINT64, major));
      case "Minor" -> Function.of("", a -> new GoInteger(GoInteger.Type.UINT64, minor));
      case "Patch" -> Function.of("", a -> new GoInteger(GoInteger.Type.UINT64, patch));
      case "Prerelease" -> Function.of("", a -> prerelease);
      case "Metadata" -> Function.of("", a -> metadata);
      case "Original" -> Function.of("", a -> original);
      case "String" -> Function.of("", a -> toString());
      default -> null;
    };
  }

  /** Order of semantic versions; metadata does not count. */
  @Override
  public int compareTo(VersionValue other) {
    int numbers =
        Comparator.comparingLong(VersionValue::major)
            .thenComparingLong(VersionValue::minor)
            .thenComparingLong(VersionValue::patch)
            .compare(this, other);
    if (numbers != 0 || prerelease.equals(other.prerelease)) {
      return numbers;
    }
    if (prerelease.isEmpty() || other.prerelease.isEmpty()) {
      return prerelease.isEmpty() ? 1 : -1;
    }
    String[] left = prerelease.split("\\.");
    String[] right = other.prerelease.split("\\.");
    for (int i = 0; i < Math.min(left.length, right.length); i++) {
      int part = comparePart(left[i], right[i]);
      if (part != 0) {
        return part;
      }
    }
    return Integer.compare(left.length, right.length);
  }

  private static int comparePart(String left, String right) {
    Long leftNumber = GoNumbers.parseInteger(left, 10);
    Long rightNumber = GoNumbers.parseInteger(right, 10);
    if (leftNumber != null && rightNumber != null) {
      return leftNumber.compareTo(rightNumber);
    }
    if (leftNumber != null || rightNumber != null) {
      return leftNumber != null ? -1 : 1;
    }
    return left.compareTo(right);
  }

  @Override
  public String toString() {
    return major
        + "."
        + minor
        + "."
        + patch
        + (prerelease.isEmpty() ? "" : "-" + prerelease)
        + (metadata.isEmpty() ? "" : "+" + metadata);
  }
}
