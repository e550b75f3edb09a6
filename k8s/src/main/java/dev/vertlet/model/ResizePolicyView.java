package dev.vertlet.model;

/**
 * Whether a container has to start anew to get other amounts of a resource. What the API server
 * defaults, and what counts where nothing is said, is that it need not.
 */
public enum ResizePolicyView {
  /** It runs on, whatever it gets. */
  NONE_RESTARTS,
  CPU_RESTARTS,
  MEMORY_RESTARTS,
  BOTH_RESTART;

  /**
   * @param cpu whether other amounts of CPU need a restart
   * @param memory whether other amounts of memory need one
   */
  static ResizePolicyView of(boolean cpu, boolean memory) {
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
