package dev.vertlet.harness.load;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.PodPhase;
import java.util.Optional;

/**
 * The fields of a pod that a load needs.
 *
 * @param deployment the load's Deployment that created it; empty for none
 * @param failure reason for which it ended and will never be Ready again; empty if it has not
 * @param deleting whether its deletion is requested
 */
record PodSight(
    String namespace,
    String name,
    Optional<String> deployment,
    boolean ready,
    Optional<String> failure,
    boolean deleting) {
  static PodSight of(PodView pod) {
    ConditionView condition = pod.status().condition("Ready");
    PodPhase phase = pod.status().phase();
    return new PodSight(
        pod.namespace(),
        pod.name(),
        Optional.ofNullable(pod.labels().get(Manifests.DEPLOYMENT)),
        condition != null && condition.status().equals("True"),
        phase.terminal() ? Optional.of(reason(pod)) : Optional.empty(),
        pod.deleting());
  }

  private static String reason(PodView pod) {
    String reason = pod.status().reason();
    return reason == null ? pod.status().phase().text() : reason;
  }
}
