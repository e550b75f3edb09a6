package dev.vertlet.admission;

/**
 * Resources that a node can run short of, with a kubelet's reasons and messages.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/nodestatus/setters.go">
 *     nodestatus/setters.go, kubelet 1.36.3</a>
 */
public enum Pressure {
  MEMORY(
      "MemoryPressure",
      "KubeletHasInsufficientMemory",
      "kubelet has insufficient memory available",
      "NodeHasInsufficientMemory",
      "NodeHasSufficientMemory"),
  DISK(
      "DiskPressure",
      "KubeletHasDiskPressure",
      "kubelet has disk pressure",
      "NodeHasDiskPressure",
      "NodeHasNoDiskPressure"),
  PID(
      "PIDPressure",
      "KubeletHasInsufficientPID",
      "kubelet has insufficient PID available",
      "NodeHasInsufficientPID",
      "NodeHasSufficientPID");

  private final String condition;
  private final String reason;
  private final String message;
  private final String begins;
  private final String ends;

  Pressure(String condition, String reason, String message, String begins, String ends) {
    this.condition = condition;
    this.reason = reason;
    this.message = message;
    this.begins = begins;
    this.ends = ends;
  }

  /** Type of the node's condition. */
  public String condition() {
    return condition;
  }

  /** Reason of the condition while it is True. */
  public String reason() {
    return reason;
  }

  /** Message of the condition while it is True. */
  public String message() {
    return message;
  }

  /**
   * Reason of the event about a change.
   *
   * @param under whether the node is under pressure now
   */
  public String event(boolean under) {
    return under ? begins : ends;
  }
}
