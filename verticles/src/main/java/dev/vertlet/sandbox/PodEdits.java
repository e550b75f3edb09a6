package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The changes that several operations make to a pod. */
final class PodEdits {
  private final ObjectNode metadata;
  private final SandboxNames names;

  /**
   * @param pod is changed
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
   * @param now as annotations have times
   */
  void started(String now) {
    annotate(names.startedAt(), now);
    annotate(names.lastActive(), now);
  }

  /** A later claim of the pod must never lose its id to a late cleanup: all goes in one write. */
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
