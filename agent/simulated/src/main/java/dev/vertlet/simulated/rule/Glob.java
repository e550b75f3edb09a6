package dev.vertlet.simulated.rule;

/**
 * Name pattern in which {@code *} matches any text, even none. No other character is special.
 *
 * @param text the pattern as written
 */
public record Glob(String text) {
  boolean matches(String name) {
    // greedy with one step back: linear for usual patterns, never exponential
    int at = 0;
    int star = -1;
    int resume = 0;
    int i = 0;
    while (i < name.length()) {
      if (at < text.length() && text.charAt(at) == '*') {
        star = at++;
        resume = i;
      } else if (at < text.length() && text.charAt(at) == name.charAt(i)) {
        at++;
        i++;
      } else if (star >= 0) {
        at = star + 1;
        i = ++resume;
      } else {
        return false;
      }
    }
    while (at < text.length() && text.charAt(at) == '*') {
      at++;
    }
    return at == text.length();
  }
}
