package dev.vertlet.lifecycle.container;

/** How far the start of a container's next instance has got. */
public enum StartStep {
  IDLE,
  INSPECTING,
  /** The image is not on the node. */
  ABSENT,
  PULLING,
  /** The image's identity is known. */
  READY,
  STARTING
}
