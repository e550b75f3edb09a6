package dev.vertlet.lifecycle.pod;

import java.time.Duration;

/**
 * Told what a {@code KubeletCore} does, for metrics. Called on the core's loop; one that is given
 * to several cores is called on all their loops.
 */
public interface CoreMeters {
  /** For a core that nobody measures. */
  CoreMeters NONE = new CoreMeters() {};

  /**
   * There are more, or with a number below 0 less, than before.
   *
   * @param sandboxes pods with a sandbox
   * @param running containers whose newest instance runs, of pods with a sandbox
   * @param exited containers whose newest instance has ended, of pods with a sandbox
   */
  default void changed(int sandboxes, int running, int exited) {}

  /** A pod was let in, so long after the core had first seen it. */
  default void letIn(Duration since) {}

  /** A pod began to run, so long after the core had first seen it. */
  default void started(Duration since) {}

  /**
   * Somebody asks that a container has another amount of something.
   *
   * @param resource {@code cpu} or {@code memory}
   * @param requirement {@code requests} or {@code limits}
   * @param operation {@code add}, {@code remove}, {@code increase} or {@code decrease}
   */
  default void resizeRequested(String resource, String requirement, String operation) {}

  /**
   * There are more resizes, or with a number below 0 less, than before.
   *
   * @param deferred that wait for room
   * @param infeasible that their nodes can never grant
   * @param inProgress that were granted and are not done
   */
  default void resizing(int deferred, int infeasible, int inProgress) {}

  /**
   * A node can never grant what a pod asks for.
   *
   * @param detail why: {@code node_capacity} or {@code runtime_unsupported}
   */
  default void resizeInfeasible(String detail) {}

  /**
   * A node granted what had waited for room.
   *
   * @param trigger what made it look again, by a kubelet's names
   */
  default void deferredResizeAccepted(String trigger) {}

  /** What a pod was granted was done, or was tried in vain, which took so long. */
  default void resized(boolean success, Duration took) {}

  /** The runtime is asked again for all that it has, so long after it was asked before. */
  default void relisting(Duration sinceLast) {}

  /** All that the runtime has was listed and compared, which took so long. */
  default void relisted(Duration took) {}
}
