package dev.vertlet.bus;

import dev.vertlet.model.PodRef;
import java.util.List;

/**
 * Timeline of a pod from being seen to being Ready, or from being seen as deleted to being gone.
 *
 * @param node it is bound to
 * @param ending whether the timeline is that of a deletion
 * @param seen monotonic nanoseconds of the first event
 * @param marks in order; skipped steps are missing
 */
public record PodTimeline(PodRef pod, String node, boolean ending, long seen, List<Mark> marks) {
  public PodTimeline {
    marks = List.copyOf(marks);
  }

  /** Steps that a pod may reach. */
  public enum Step {
    /** The provider reported the pod for the first time. */
    TAKEN_UP,
    /** The provider reported that the pod runs. */
    RUNNING,
    /** The provider reported that the pod is Ready. */
    READY,
    /** The API server holds the pod as Ready: the start is complete. */
    WRITTEN,
    /** The provider reported that the pod's containers have ended. */
    STOPPED,
    /** The API server no longer holds the pod: the deletion is complete. */
    GONE
  }

  /**
   * Time of one step.
   *
   * @param after nanoseconds after {@code seen}
   */
  public record Mark(Step step, long after) {}

  /** Nanoseconds to the last mark; 0 without one. */
  public long took() {
    return marks.isEmpty() ? 0 : marks.get(marks.size() - 1).after();
  }
}
