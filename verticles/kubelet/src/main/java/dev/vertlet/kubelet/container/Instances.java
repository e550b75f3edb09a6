package dev.vertlet.kubelet.container;

import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.provider.container.ContainerRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The instances of one container; immutable.
 *
 * @param current the newest instance, null before the first and after a restart of all
 * @param last how the previous instance ended, null if unknown
 * @param restarts number of instances before the newest; never falls below what the API server has
 * @param image the spec's image at the start of the newest instance
 * @param logRead whether the log of the newest, ended instance was read for its message
 */
record Instances(
    @Nullable ContainerRecord current,
    @Nullable Terminated last,
    int restarts,
    String image,
    boolean logRead) {
  /** Of a container that has not run. */
  static Instances none(String image) {
    return new Instances(null, null, 0, image, false);
  }

  boolean running() {
    return current != null && current.running();
  }

  /** How the newest instance ended; null when it runs, or without one. */
  @Nullable Terminated end() {
    return current != null && current.state() instanceof Terminated end ? end : null;
  }

  /** When the newest instance ended, as the runtime reports it; 0 when unknown. */
  long finishedAt() {
    return millis(end());
  }

  /** When the previous instance ended; 0 when unknown. */
  long lastFinishedAt() {
    return millis(last);
  }

  private static long millis(@Nullable Terminated end) {
    Instant finished = end == null ? null : end.finishedAt();
    return finished == null ? 0 : finished.toEpochMilli();
  }

  /** Number of the next instance. */
  int next() {
    return current == null ? restarts : restarts + 1;
  }

  /**
   * Whether a record of the runtime is news. One of an instance that was made and has not started
   * is not: its start is either under way or retried under the same number.
   */
  boolean outdatedBy(ContainerRecord record) {
    if (record.state() instanceof Waiting) {
      return false;
    }
    if (current == null) {
      return record.attempt() >= restarts;
    }
    if (isNew(record)) {
      return record.attempt() > current.attempt();
    }
    // an end is final: an earlier state may arrive after it
    return end() == null && !current.equals(record);
  }

  boolean isNew(ContainerRecord record) {
    return current == null || !current.id().equals(record.id());
  }

  /** Returns this with another record of the newest instance. */
  Instances with(ContainerRecord record) {
    return new Instances(record, last, restarts, image, logRead);
  }

  /** Returns this with a new instance. */
  Instances replacedBy(ContainerRecord record, String startImage) {
    Terminated ended = end();
    return new Instances(
        record,
        ended == null ? last : ended,
        Math.max(restarts, record.attempt()),
        startImage,
        false);
  }

  /** Returns this with an unknown end of the newest instance, whose log cannot be found. */
  Instances vanished(Instant now) {
    return current != null && current.state() instanceof Running running
        ? new Instances(
            Unlocated.record(current, running.startedAt(), now), last, restarts, image, true)
        : this;
  }

  /** Returns this after the removal of the newest instance, with this end. */
  Instances removed(Terminated end) {
    return new Instances(null, end, next(), image, logRead);
  }

  /** Returns this with the message of an ended instance. */
  Instances withMessage(String instance, String message) {
    Terminated end = end();
    if (current != null && end != null && current.id().equals(instance)) {
      return with(current.withState(end.withMessage(message)));
    }
    return last != null && instance.equals(last.containerId())
        ? new Instances(current, last.withMessage(message), restarts, image, logRead)
        : this;
  }

  Instances withLogRead() {
    return new Instances(current, last, restarts, image, true);
  }

  Instances withImage(String started) {
    return new Instances(current, last, restarts, started, logRead);
  }

  /** Returns what the runtime or the API server has from before a restart of the agent. */
  Instances restored(
      @Nullable ContainerRecord newest, @Nullable Terminated before, int leastRestarts) {
    return new Instances(newest, before, Math.max(restarts, leastRestarts), image, logRead);
  }
}
