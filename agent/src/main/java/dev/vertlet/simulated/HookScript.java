package dev.vertlet.simulated;

/**
 * How a hook goes: {@code 5s} takes its time, {@code never} hangs, {@code fail} fails at once,
 * {@code fail 5s} after a while.
 *
 * @param takes how long
 */
public record HookScript(DurationRule takes, boolean fails) {
  private static final String FAIL = "fail";

  /**
   * @throws IllegalArgumentException naming the text and the form
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
