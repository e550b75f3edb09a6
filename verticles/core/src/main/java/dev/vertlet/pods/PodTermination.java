package dev.vertlet.pods;

import dev.vertlet.model.pod.PodView;
import java.time.Duration;

/**
 * How far the provider has come with the end of a pod. {@link #NOT_BEGUN} for nearly all pods, so
 * that they share it.
 *
 * @param grace grace period of the last successful delete, seconds; the largest value before one. A
 *     deletion can only become more urgent
 * @param unknown the provider has answered that it does not know the pod
 * @param finished the provider has reported that it has finished with the pod
 * @param finishTold the end of a pod that the provider does not know was reported in its place
 */
record PodTermination(long grace, boolean unknown, boolean finished, boolean finishTold) {
  static final PodTermination NOT_BEGUN = new PodTermination(Long.MAX_VALUE, false, false, false);

  private static final PodOperation IDLE = new PodOperation.Idle();

  /** Whether nothing is left to be done for the pod's end. */
  boolean over() {
    return finished || finishTold;
  }

  /**
   * Returns the next operation of a pod that has to end.
   *
   * @param graceSeconds grace period that the pod has now
   */
  PodOperation next(PodView pod, long graceSeconds) {
    if (over()) {
      return IDLE;
    }
    if (unknown) {
      return new PodOperation.Finish(pod);
    }
    long asked = Math.max(1, graceSeconds);
    return asked < grace ? new PodOperation.Delete(pod, Duration.ofSeconds(asked)) : IDLE;
  }

  PodTermination withGrace(long seconds) {
    return new PodTermination(seconds, unknown, finished, finishTold);
  }

  PodTermination withUnknown(boolean now) {
    return unknown == now ? this : new PodTermination(grace, now, finished, finishTold);
  }

  PodTermination withFinished() {
    return finished ? this : new PodTermination(grace, unknown, true, finishTold);
  }

  PodTermination withFinishTold() {
    return new PodTermination(grace, unknown, finished, true);
  }
}
