package dev.vertlet.lifecycle.container;

/**
 * What the newest instance of a container was asked for, until another one takes its place.
 *
 * @param deadline when the newest stop takes effect, epoch milliseconds; 0 when none is under way
 * @param announced it is a sidecar that was told of its end, and waits for its turn
 * @param rerun the container has to run again whatever its restart policy says: an init container
 *     in a new sandbox, or one whose definition changed
 * @param swapping the instance ends so that another one, which has not been made, takes its place
 * @param probeKilled the instance ends because a probe failed
 */
public record StopState(
    long deadline, boolean announced, boolean rerun, boolean swapping, boolean probeKilled) {
  /** It may go on. Shared by all containers that nobody has stopped. */
  static final StopState NONE = new StopState(0, false, false, false, false);

  StopState requested(long until, StopCause cause) {
    boolean swaps = cause.swaps();
    return new StopState(
        until, announced, rerun || swaps, swapping || swaps, probeKilled || cause.probe());
  }

  /** None is under way any more: the instance has ended, or its stop has failed. */
  StopState over() {
    return deadline == 0 ? this : until(0);
  }

  StopState until(long other) {
    return new StopState(other, announced, rerun, swapping, probeKilled);
  }

  StopState toldOfTurn() {
    return new StopState(deadline, true, rerun, swapping, probeKilled);
  }

  StopState followed(boolean again, boolean swaps) {
    return new StopState(deadline, announced, again, swaps, probeKilled);
  }
}
