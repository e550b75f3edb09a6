package dev.vertlet.apiserver.disruption;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a budget comes to.
 *
 * @param currentHealthy healthy pods that are not about to go
 * @param desiredHealthy how many there must be
 * @param expectedPods how many there should be
 */
record Budget(int currentHealthy, int desiredHealthy, int expectedPods) {
  /**
   * @param spec {@code spec} of the PodDisruptionBudget
   * @param expectedPods pods that it selects
   */
  static Budget of(JsonNode spec, int currentHealthy, int expectedPods) {
    JsonNode most = spec.path("maxUnavailable");
    int desired =
        most.isMissingNode()
            ? scaled(spec.path("minAvailable"), expectedPods)
            : Math.max(0, expectedPods - scaled(most, expectedPods));
    return new Budget(currentHealthy, desired, expectedPods);
  }

  /** A number, or a percentage of the expected pods, rounded up. */
  private static int scaled(JsonNode value, int expected) {
    if (!value.isTextual()) {
      return value.asInt(0);
    }
    String digits = value.asText().replace("%", "");
    try {
      return (int) ((Long.parseLong(digits) * expected + 99) / 100);
    } catch (NumberFormatException e) {
      return 0; // validation has refused it; a budget that says nothing allows everything
    }
  }

  /** How many more pods may go. */
  int disruptionsAllowed() {
    return expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  }
}
