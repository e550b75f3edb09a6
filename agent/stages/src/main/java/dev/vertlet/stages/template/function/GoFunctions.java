package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.Functions;
import java.util.Map;

/** Go's own functions of text/template. */
public final class GoFunctions {
  private GoFunctions() {}

  /** All of them by name. */
  public static Map<String, Functions.Function> all() {
    return Map.of();
  }
}
