package dev.vertlet.kubelet.container;

/**
 * The stop of a container's newest instance, until another instance replaces it.
 *
 * @param deadline when the newest stop takes effect, epoch milliseconds; 0 without a stop under way
 * @param announced whether a sidecar's end was announced while it waits for its turn
 * @param rerun whether the container has to run again whatever its restart policy says: an init
 *     container in a new sandbox, or one whose definition changed
 * @param swapping whether the instance ends so that another one, not yet made, replaces it
 * @param probeKilled whether the instance ends because a probe failed
 */
public record StopState(
    long deadline, boolean announced, boolean rerun, boolean swapping, boolean probeKilled) {
  /** No stop; shared by all containers that were never stopped. */
  public static final StopState NONE = new StopState(0, false, false, false, false);

  /** The newest instance is to end by this time; its preStop hook may run first. */
  public StopState requested(long until, StopCause cause) {
    boolean swaps = cause.swaps();
    return new StopState(
        until, announced, rerun || swaps, swapping || swaps, probeKilled || cause.probe());
  }

  /** Returns this after the instance's end or a failed stop. */
  StopState over() {
    return deadline == 0 ? this : until(0);
  }

  /** Returns this with another deadline. */
  public StopState until(long other) {
    return new StopState(other, announced, rerun, swapping, probeKilled);
  }

  /** A sidecar that still waits for other containers to end was told of its end. */
  public StopState withAnnouncement() {
    return new StopState(deadline, true, rerun, swapping, probeKilled);
  }

  /** Another instance follows this one. */
  public StopState followed(boolean again, boolean swaps) {
    return new StopState(deadline, announced, again, swaps, probeKilled);
  }
}
