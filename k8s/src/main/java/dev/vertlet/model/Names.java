package dev.vertlet.model;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The API server's rules for names, so that configuration is rejected before the server does it.
 *
 * <p>Every check returns empty for a valid value, otherwise the broken rule in Kubernetes' words,
 * for messages that replace a kubelet's or the API server's; {@link #demand} rewords it for
 * problems of a configuration.
 */
public final class Names {
  private static final int MAX_SUBDOMAIN = 253;
  private static final int MAX_LABEL = 63;

  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*+");
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern CONFIG_MAP_KEY = Pattern.compile("[-._a-zA-Z0-9]+");
  private static final Pattern QUALIFIED =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

  /** Beginning of a rule about all names of a kind. */
  private static final Pattern KIND = Pattern.compile("^(a .*?) must ");

  private static final List<String> TAINT_EFFECTS =
      List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

  private static final String QUALIFIED_RULE =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
          + " alphanumeric character (e.g. 'MyName', 'my.name' or '123-abc')";

  private Names() {}

  /** Checks names of nodes, pods and most other objects. */
  public static Optional<String> checkSubdomain(String name) {
    return check(
        name,
        MAX_SUBDOMAIN,
        SUBDOMAIN,
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
            + " '.', and must start and end with an alphanumeric character (e.g. 'example.com')");
  }

  /** Checks names of namespaces and containers. */
  public static Optional<String> checkLabel(String name) {
    return check(
        name,
        MAX_LABEL,
        LABEL,
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
            + " must start and end with an alphanumeric character (e.g. 'my-name' or '123-abc')");
  }

  /** Checks keys of labels, annotations and taints: a name, or a DNS prefix, a slash and a name. */
  public static Optional<String> checkLabelKey(String key) {
    int slash = key.indexOf('/');
    if (slash < 0) {
      return check(key, MAX_LABEL, QUALIFIED, "a label key " + QUALIFIED_RULE);
    }
    Optional<String> prefix =
        checkSubdomain(key.substring(0, slash)).map(rule -> "prefix part: " + rule);
    return prefix.isPresent()
        ? prefix
        : check(key.substring(slash + 1), MAX_LABEL, QUALIFIED, "name part: it " + QUALIFIED_RULE);
  }

  /** Checks values of labels and taints; they may be empty. */
  public static Optional<String> checkLabelValue(String value) {
    return value.isEmpty()
        ? Optional.empty()
        : check(value, MAX_LABEL, QUALIFIED, "a label value must be empty or " + QUALIFIED_RULE);
  }

  /** Checks keys of the data of ConfigMaps and Secrets: file names within one directory. */
  public static Optional<String> checkConfigMapKey(String key) {
    Optional<String> broken =
        check(
            key,
            MAX_SUBDOMAIN,
            CONFIG_MAP_KEY,
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g."
                + " 'key.name', or 'KEY_NAME', or 'key-name')");
    if (broken.isPresent()) {
      return broken;
    }
    if (key.equals(".") || key.equals("..")) {
      return Optional.of("must not be '" + key + "'");
    }
    return key.startsWith("..") ? Optional.of("must not start with '..'") : Optional.empty();
  }

  public static Optional<String> checkTaintEffect(String effect) {
    return TAINT_EFFECTS.contains(effect)
        ? Optional.empty()
        : Optional.of("must be one of " + String.join(", ", TAINT_EFFECTS));
  }

  /**
   * Rewords a rule to follow its value: {@code "Node_1" must be a lowercase RFC 1123 subdomain: it
   * must consist of …}. Kubernetes' rules speak of all names of the kind instead.
   */
  public static String demand(String rule) {
    return KIND.matcher(rule).replaceFirst("must be $1: it must ");
  }

  /** Checks the length first, which bounds the cost of the pattern. */
  private static Optional<String> check(String text, int max, Pattern pattern, String rule) {
    if (text.length() > max) {
      return Optional.of("must be no more than " + max + " characters, has " + text.length());
    }
    return pattern.matcher(text).matches() ? Optional.empty() : Optional.of(rule);
  }
}
