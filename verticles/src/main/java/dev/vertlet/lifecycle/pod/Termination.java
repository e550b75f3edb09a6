package dev.vertlet.lifecycle.pod;

/**
 * How far the end of a pod is. Times are epoch milliseconds.
 *
 * @param deadline when its grace is over; {@link Long#MAX_VALUE} while it is not to end
 * @param removingSince since when a removal is unanswered; 0 when none was asked for
 * @param retryAt no stop and no removal before this time, after a failed one
 * @param failed whether ending met an error, so that profile {@code fast} shows what is the matter
 */
public record Termination(long deadline, long removingSince, long retryAt, boolean failed) {
  /** It is not to end. Shared by all pods that go on. */
  static final Termination NONE = new Termination(Long.MAX_VALUE, 0, 0, false);

  public boolean due() {
    return deadline != Long.MAX_VALUE;
  }

  /** Its grace ends then at the latest. */
  Termination by(long time) {
    return new Termination(Math.min(deadline, time), removingSince, retryAt, failed);
  }

  /**
   * @param since when the runtime was asked to remove the sandbox; 0 when it has answered
   */
  Termination removing(long since) {
    return new Termination(deadline, since, retryAt, failed);
  }

  /** A stop or a removal failed. */
  Termination failed(long tryAgainAt) {
    return new Termination(deadline, removingSince, tryAgainAt, true);
  }
}
