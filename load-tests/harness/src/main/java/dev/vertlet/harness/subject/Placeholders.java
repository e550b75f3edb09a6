package dev.vertlet.harness.subject;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces placeholders such as {@code {kubeconfig}}. Braces around any text that is not a name
 * stay.
 */
final class Placeholders {
  /** Prefix of a Go module's directory, for example {@code {gomod:sigs.k8s.io/kwok@v0.8.0}}. */
  private static final String MODULE = "gomod:";

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z_]+|gomod:[^{}\\s]+)}");
  private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

  private final Map<String, String> values;
  private final Path goModules;

  /**
   * @param values values by name
   * @param goModules folder of Go's module cache
   */
  Placeholders(Map<String, String> values, Path goModules) {
    this.values = new TreeMap<>(values);
    this.goModules = goModules;
  }

  /**
   * @param where names the text in a message
   * @throws IllegalArgumentException for an unknown placeholder
   */
  String fill(String where, String text) {
    Matcher matcher = PLACEHOLDER.matcher(text);
    return matcher.replaceAll(
        found -> Matcher.quoteReplacement(value(where, found.group(1), found.group())));
  }

  private String value(String where, String name, String placeholder) {
    if (name.startsWith(MODULE)) {
      return goModules.resolve(escaped(name.substring(MODULE.length()))).toString();
    }
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "%s: %s is no placeholder; there are {%s} and {gomod:MODULE@VERSION}"
              .formatted(where, placeholder, String.join("}, {", values.keySet())));
    }
    return value;
  }

  /** Escapes a module path: Go writes a capital as an exclamation mark and its small letter. */
  private static String escaped(String module) {
    return CAPITAL
        .matcher(module)
        .replaceAll(capital -> "!" + capital.group().toLowerCase(Locale.ROOT));
  }
}
