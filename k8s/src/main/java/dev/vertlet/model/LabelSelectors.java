package dev.vertlet.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The API server's rules for label selectors in text form, so that configuration is rejected before
 * the server does it. Only the server evaluates selectors.
 */
public final class LabelSelectors {
  private static final Pattern SET =
      Pattern.compile("(\\S+)\\s+(?:in|notin)\\s*\\(([^()]*)\\)", Pattern.DOTALL);

  private static final Pattern EQUALITY = Pattern.compile("([^=!\\s]+)\\s*(?:==|!=|=)\\s*(\\S*)");

  private static final Pattern EXISTENCE = Pattern.compile("!?\\s*([^=!\\s()]+)");

  private static final String FORM =
      "must be a label selector such as \"type=kwok\", \"team in (a, b)\", \"virtual\" or"
          + " \"!control-plane\", or several of these, separated by commas";

  private LabelSelectors() {}

  /**
   * Returns empty for a valid selector that does not select everything; otherwise the broken rule,
   * worded to follow the value.
   */
  public static Optional<String> check(String selector) {
    for (String requirement : requirements(selector)) {
      Optional<String> broken = checkRequirement(requirement.strip());
      if (broken.isPresent()) {
        return broken;
      }
    }
    return Optional.empty();
  }

  /** Splits at commas outside parentheses. */
  private static List<String> requirements(String selector) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int begin = 0;
    for (int i = 0; i < selector.length(); i++) {
      char c = selector.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        parts.add(selector.substring(begin, i));
        begin = i + 1;
      }
    }
    parts.add(selector.substring(begin));
    return parts;
  }

  private static Optional<String> checkRequirement(String requirement) {
    Matcher set = SET.matcher(requirement);
    if (set.matches()) {
      return check(set.group(1), List.of(set.group(2).split(",", -1)));
    }
    Matcher equality = EQUALITY.matcher(requirement);
    if (equality.matches()) {
      return check(equality.group(1), List.of(equality.group(2)));
    }
    Matcher existence = EXISTENCE.matcher(requirement);
    return existence.matches() ? check(existence.group(1), List.of()) : Optional.of(FORM);
  }

  private static Optional<String> check(String key, List<String> values) {
    Optional<String> broken = Names.checkLabelKey(key).map(rule -> "key \"" + key + "\": " + rule);
    if (broken.isPresent()) {
      return broken;
    }
    for (String value : values) {
      Optional<String> wrong =
          Names.checkLabelValue(value.strip())
              .map(rule -> "value \"" + value.strip() + "\": " + rule);
      if (wrong.isPresent()) {
        return wrong;
      }
    }
    return Optional.empty();
  }
}
