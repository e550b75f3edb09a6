package dev.vertlet.model;

/** How firmly a pod holds what it takes of its node, as Kubernetes classes pods. */
public enum QosClass {
  /** Asks for no CPU and no memory. */
  BEST_EFFORT,
  BURSTABLE,
  /** May use exactly what it asks for, of CPU and of memory. */
  GUARANTEED
}
