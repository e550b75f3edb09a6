package dev.vertlet.model.pod;

/** QoS class of a pod. */
public enum QosClass {
  /** No requests and limits of CPU and memory. */
  BEST_EFFORT,
  BURSTABLE,
  /** Requests and limits of CPU and memory are equal. */
  GUARANTEED
}
