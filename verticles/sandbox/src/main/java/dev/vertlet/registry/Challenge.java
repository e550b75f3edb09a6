package dev.vertlet.registry;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A registry's authentication challenge. Pure.
 *
 * @param scheme in lower case: bearer or basic
 * @param parameters by lower-case name
 * @see <a href="https://distribution.github.io/distribution/spec/auth/token/">token
 *     authentication</a>
 */
record Challenge(String scheme, Map<String, String> parameters) {
  private static final Pattern PARAMETER =
      Pattern.compile("([A-Za-z_]++)\\s*+=\\s*+(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s,\"]++))");

  /**
   * Parses a challenge.
   *
   * @param header value of WWW-Authenticate, null if missing
   * @return empty for an unsupported challenge
   */
  static Optional<Challenge> parse(@Nullable String header) {
    if (header == null || header.length() > 4096) {
      return Optional.empty();
    }
    String text = header.strip();
    int space = text.indexOf(' ');
    String scheme = (space < 0 ? text : text.substring(0, space)).toLowerCase(Locale.ROOT);
    Map<String, String> parameters = new LinkedHashMap<>();
    Matcher matcher = PARAMETER.matcher(space < 0 ? "" : text.substring(space));
    while (matcher.find()) {
      String quoted = matcher.group(2);
      parameters.putIfAbsent(
          matcher.group(1).toLowerCase(Locale.ROOT),
          quoted == null ? matcher.group(3) : quoted.replaceAll("\\\\(.)", "$1"));
    }
    return scheme.equals("bearer") && parameters.containsKey("realm") || scheme.equals("basic")
        ? Optional.of(new Challenge(scheme, parameters))
        : Optional.empty();
  }

  boolean isBasic() {
    return scheme.equals("basic");
  }

  String parameter(String name) {
    return parameters.getOrDefault(name, "");
  }
}
