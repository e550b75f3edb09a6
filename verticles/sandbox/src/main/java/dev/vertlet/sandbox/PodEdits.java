package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Changes to a pod that several operations share. */
final class PodEdits {
  private final ObjectNode metadata;
  private final SandboxNames names;

  /**
   * Creates an editor.
   *
   * @param pod is changed in place
   */
  PodEdits(ObjectNode pod, SandboxNames names) {
    this.metadata = PodTree.object(pod, "metadata");
    this.names = names;
  }

  void phase(String phase) {
    PodTree.object(metadata, "labels").put(names.phase(), phase);
  }

  void state(InplaceState state) {
    annotate(names.state(), state.encode());
  }

  /**
   * Records the start of the sandbox.
   *
   * @param now in the format of annotations
   */
  void started(String now) {
    annotate(names.startedAt(), now);
    annotate(names.lastActive(), now);
  }

  /**
   * Removes everything of a claim in the same write: a separate cleanup might remove the id of a
   * later claim.
   */
  void forgetClaim() {
    if (metadata.get("labels") instanceof ObjectNode labels) {
      labels.remove(names.id());
    }
    if (metadata.get("annotations") instanceof ObjectNode annotations) {
      annotations.remove(names.lifecycleAnnotations());
    }
  }

  private void annotate(String key, String value) {
    PodTree.object(metadata, "annotations").put(key, value);
  }
}
