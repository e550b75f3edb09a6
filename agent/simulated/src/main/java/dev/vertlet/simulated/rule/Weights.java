package dev.vertlet.simulated.rule;

import java.util.function.IntToDoubleFunction;

/** Weighted random choice. */
final class Weights {
  private static final double LARGEST = 1e9;

  private Weights() {}

  /**
   * Checks a weight.
   *
   * @throws IllegalArgumentException unless it is above 0 and at most 10^9
   */
  static void require(double weight) {
    if (!(weight > 0 && weight <= LARGEST)) {
      throw new IllegalArgumentException("a weight must be above 0 and at most 1e9, got " + weight);
    }
  }

  /**
   * Parses a weight.
   *
   * @throws IllegalArgumentException with a message that names the text and what is allowed
   */
  static double parse(String text) {
    if (!text.matches("[0-9]{1,10}(\\.[0-9]{1,6})?")) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no weight: want a number above 0 and at most 1e9");
    }
    double weight = Double.parseDouble(text);
    require(weight);
    return weight;
  }

  /**
   * Draws one of {@code many}.
   *
   * @param bits uniformly distributed
   */
  static int index(long bits, int many, IntToDoubleFunction weight) {
    double sum = 0;
    for (int i = 0; i < many; i++) {
      sum += weight.applyAsDouble(i);
    }
    double left = Hash64.unit(bits) * sum;
    for (int i = 0; i < many - 1; i++) {
      left -= weight.applyAsDouble(i);
      if (left < 0) {
        return i;
      }
    }
    return many - 1;
  }
}
