package dev.vertlet.apiserver.scheduler;

import com.fasterxml.jackson.databind.JsonNode;

/** All that decides where a pod may go. Pods with equal requirements are alike to the scheduler. */
record Requirements(Shape shape, Demand demand) {
  /**
   * The part that a node satisfies or not, whatever runs on it.
   *
   * @param selector {@code spec.nodeSelector}
   * @param affinity terms of the required node affinity
   * @param tolerations {@code spec.tolerations}
   */
  record Shape(JsonNode selector, JsonNode affinity, JsonNode tolerations) {}

  static Requirements of(JsonNode pod) {
    JsonNode spec = pod.path("spec");
    return new Requirements(
        new Shape(spec.path("nodeSelector"), NodeAffinity.termsOf(pod), spec.path("tolerations")),
        Demand.of(pod));
  }
}
