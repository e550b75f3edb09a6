package dev.vertlet.kubelet.container;

/** Progress of the start of a container's next instance. */
public enum StartStep {
  IDLE,
  INSPECTING,
  /** The image is not on the node. */
  ABSENT,
  PULLING,
  /** The image's id is known. */
  READY,
  STARTING
}
