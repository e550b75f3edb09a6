package dev.vertlet.stages.template.value;

import java.util.ArrayList;
import java.util.List;

/**
 * Parameter types of a function.
 *
 * @param fixed types of the parameters before the variadic one
 * @param variadic type of each further argument, or null if there must be none
 */
public record Signature(
    List<ParameterType> fixed, @org.jspecify.annotations.Nullable ParameterType variadic) {
  /** Copies the list. */
  public Signature {
    fixed = List.copyOf(fixed);
  }

  /**
   * Reads a list such as {@code "string, int, ...any"}; empty for a function without parameters.
   *
   * @throws IllegalArgumentException for an unknown type, or one after the variadic
   */
  public static Signature of(String parameters) {
    List<ParameterType> fixed = new ArrayList<>();
    for (String part : parameters.isBlank() ? new String[0] : parameters.split(",", -1)) {
      String type = part.strip();
      if (type.startsWith("...")) {
        if (!parameters.endsWith(part)) {
          throw new IllegalArgumentException("only the last parameter is variadic: " + parameters);
        }
        return new Signature(fixed, ParameterType.of(type.substring(3)));
      }
      fixed.add(ParameterType.of(type));
    }
    return new Signature(fixed, null);
  }

  /** Number of parameters as Go counts them: the variadic one is one. */
  public int parameters() {
    return fixed.size() + (variadic == null ? 0 : 1);
  }

  /** Type of the argument at an index, which the signature allows. */
  public ParameterType type(int index) {
    if (index < fixed.size()) {
      return fixed.get(index);
    }
    if (variadic == null) {
      throw new IllegalArgumentException("no parameter " + index);
    }
    return variadic;
  }
}
