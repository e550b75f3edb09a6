package dev.vertlet.simulated.rule;

/**
 * Result of a hook: {@code 5s} succeeds after that time, {@code never} hangs, {@code fail} fails at
 * once, {@code fail 5s} fails after that time.
 *
 * @param takes duration of the hook
 */
public record HookScript(DurationRule takes, boolean fails) {
  private static final String FAIL = "fail";

  /**
   * Parses a script.
   *
   * @throws IllegalArgumentException with a message that names the text and the syntax
   */
  public static HookScript parse(String text) {
    String stripped = text.strip();
    if (stripped.equals(FAIL)) {
      return new HookScript(DurationRule.ZERO, true);
    }
    boolean fails = stripped.startsWith(FAIL + " ");
    String time = fails ? stripped.substring(FAIL.length()).strip() : stripped;
    try {
      return new HookScript(DurationRule.parse(time), fails);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "\""
              + text
              + "\" is no course of a hook: want \"fail\", a time, or \"fail\" and a time; "
              + e.getMessage(),
          e);
    }
  }
}
