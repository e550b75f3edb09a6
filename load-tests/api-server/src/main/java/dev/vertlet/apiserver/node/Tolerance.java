package dev.vertlet.apiserver.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.control.Taint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How long a pod bears the taints of its node. */
final class Tolerance {
  private Tolerance() {}

  /**
   * The time until the pod has to go: zero when a taint is not tolerated, empty when all are for
   * ever.
   *
   * @param tolerations {@code spec.tolerations}
   * @param taints those with the effect {@code NoExecute}
   */
  static Optional<Duration> of(JsonNode tolerations, List<Taint> taints) {
    Optional<Duration> shortest = Optional.empty();
    for (Taint taint : taints) {
      JsonNode toleration = firstThatCovers(tolerations, taint).orElse(null);
      if (toleration == null) {
        return Optional.of(Duration.ZERO);
      }
      JsonNode seconds = toleration.path("tolerationSeconds");
      if (seconds.isNumber()) {
        Duration limit = Duration.ofSeconds(Math.max(0, seconds.asLong()));
        shortest =
            shortest.filter(known -> known.compareTo(limit) < 0).or(() -> Optional.of(limit));
      }
    }
    return shortest;
  }

  private static Optional<JsonNode> firstThatCovers(JsonNode tolerations, Taint taint) {
    for (JsonNode toleration : tolerations) {
      if (taint.isToleratedBy(toleration)) {
        return Optional.of(toleration);
      }
    }
    return Optional.empty();
  }
}
