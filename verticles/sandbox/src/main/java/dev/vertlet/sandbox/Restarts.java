package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * Finds containers of a running sandbox that died and restarted. Compares containerIDs only: they
 * change when a container is replaced and only then, while a restart count may arrive later.
 */
final class Restarts {
  private Restarts() {}

  /**
   * Returns the first container that was replaced since the sandbox began to run.
   *
   * @throws SandboxException {@link SandboxException.Reason#UNREADABLE_STATE}
   */
  static Optional<String> unexpected(JsonNode pod, SandboxNames names) {
    Optional<InplaceState> read = InplaceState.of(pod, names);
    if (read.isEmpty()
        || !read.get().phase().equals(SandboxPhases.COMPLETED)
        || !read.get().targetPodPhase().equals(SandboxPhases.RUNNING)) {
      return Optional.empty();
    }
    return read.get().stableContainerStatuses().entrySet().stream()
        .filter(stable -> restarted(pod, stable.getKey(), stable.getValue().containerId()))
        .map(stable -> stable.getKey())
        .findFirst();
  }

  /**
   * Whether the ids differ; an empty id on either side is no evidence: it was not recorded, or the
   * container is being replaced.
   */
  private static boolean restarted(JsonNode pod, String container, String recorded) {
    String current = PodTree.status(pod, container).path("containerID").asText("");
    return !recorded.isEmpty() && !current.isEmpty() && !current.equals(recorded);
  }
}
