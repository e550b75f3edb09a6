package dev.vertlet.kubelet.pod;

/**
 * Progress of a pod's end. Times are epoch milliseconds.
 *
 * @param deadline end of the grace; {@link Long#MAX_VALUE} while the pod is not to end
 * @param removingSince since when a removal is unanswered; 0 when none was asked for
 * @param retryAt time of the next stop or removal, after a failed one
 * @param failed whether ending met an error, so that profile {@code fast} reports it
 */
public record Termination(long deadline, long removingSince, long retryAt, boolean failed) {
  /** No end; shared by all pods that go on. */
  static final Termination NONE = new Termination(Long.MAX_VALUE, 0, 0, false);

  public boolean due() {
    return deadline != Long.MAX_VALUE;
  }

  /** Returns this with a deadline no later than the given time. */
  Termination by(long time) {
    return new Termination(Math.min(deadline, time), removingSince, retryAt, failed);
  }

  /**
   * @param since when the runtime was asked to remove the sandbox; 0 after its answer
   */
  Termination removing(long since) {
    return new Termination(deadline, since, retryAt, failed);
  }

  /** Returns this after a failed stop or removal. */
  Termination failed(long tryAgainAt) {
    return new Termination(deadline, removingSince, tryAgainAt, true);
  }
}
