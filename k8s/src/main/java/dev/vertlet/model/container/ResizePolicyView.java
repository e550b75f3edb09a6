package dev.vertlet.model.container;

/**
 * Whether a container restarts when it is resized. The API server's default, and that of a missing
 * policy, is no restart.
 */
public enum ResizePolicyView {
  /** Resized without a restart. */
  NONE_RESTARTS,
  CPU_RESTARTS,
  MEMORY_RESTARTS,
  BOTH_RESTART;

  /**
   * Returns the policy.
   *
   * @param cpu whether a resize of CPU needs a restart
   * @param memory whether a resize of memory needs a restart
   */
  public static ResizePolicyView of(boolean cpu, boolean memory) {
    if (cpu) {
      return memory ? BOTH_RESTART : CPU_RESTARTS;
    }
    return memory ? MEMORY_RESTARTS : NONE_RESTARTS;
  }

  public boolean cpuRestarts() {
    return this == CPU_RESTARTS || this == BOTH_RESTART;
  }

  public boolean memoryRestarts() {
    return this == MEMORY_RESTARTS || this == BOTH_RESTART;
  }
}
