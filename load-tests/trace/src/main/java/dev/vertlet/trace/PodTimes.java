package dev.vertlet.trace;

import org.jspecify.annotations.Nullable;

/**
 * Times of a pod as offsets in milliseconds since the start of the trace; negative for what
 * happened before; null for what has not happened or was not seen.
 *
 * <p>The API server's own times have a resolution of one second. Where the recorder saw the change
 * within two seconds of that time, the time at which it saw the change is recorded instead.
 *
 * @param created when the API server accepted the pod
 * @param scheduled when the pod was bound to a node
 * @param started when the phase became Running: init containers have ended and a container runs
 * @param ready when the pod first became Ready
 * @param ended when the last container ended, in phase Succeeded or Failed
 * @param deleting when the deletion was requested
 * @param gone when the object was removed
 */
public record PodTimes(
    long created,
    @Nullable Long scheduled,
    @Nullable Long started,
    @Nullable Long ready,
    @Nullable Long ended,
    @Nullable Long deleting,
    @Nullable Long gone) {

  /** Returns whether the pod had ended or was gone when this was recorded. */
  public boolean over() {
    return ended != null || gone != null;
  }
}
