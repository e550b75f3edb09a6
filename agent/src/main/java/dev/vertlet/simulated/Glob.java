package dev.vertlet.simulated;

/**
 * A name in which {@code *} stands for any text, also none. Nothing else is special.
 *
 * @param text the pattern as written
 */
public record Glob(String text) {
  boolean matches(String name) {
    // greedy with one step back: linear for what people write, never exponential
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
