package dev.vertlet.bus;

import dev.vertlet.model.PodRef;
import java.util.List;

/**
 * What a pod went through from being seen to being Ready, or from being seen as deleted to being
 * gone.
 *
 * @param node it is bound to
 * @param ending whether it is the second of these
 * @param seen monotonic nanoseconds of when its beginning was seen
 * @param marks in their order; a step that was skipped is missing
 */
public record PodWay(PodRef pod, String node, boolean ending, long seen, List<Mark> marks) {
  public PodWay {
    marks = List.copyOf(marks);
  }

  /** What a pod may have reached. */
  public enum Step {
    /** The provider said something about it for the first time. */
    TAKEN_UP,
    /** The provider said that it runs. */
    RUNNING,
    /** The provider said that it is Ready. */
    READY,
    /** The API server holds it as Ready: the end of a start. */
    WRITTEN,
    /** The provider said that its containers have ended. */
    STOPPED,
    /** The API server holds it no longer: the end of an end. */
    GONE
  }

  /**
   * One step.
   *
   * @param after nanoseconds after {@code seen}
   */
  public record Mark(Step step, long after) {}

  /** Nanoseconds to the last mark; 0 without one. */
  public long took() {
    return marks.isEmpty() ? 0 : marks.get(marks.size() - 1).after();
  }
}
