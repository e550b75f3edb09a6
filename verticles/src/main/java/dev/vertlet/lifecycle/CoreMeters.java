package dev.vertlet.lifecycle;

import java.time.Duration;

/**
 * Told what a {@link KubeletCore} does, for metrics. Called on the core's loop; one that is given
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

  /** The runtime is asked again for all that it has, so long after it was asked before. */
  default void relisting(Duration sinceLast) {}

  /** All that the runtime has was listed and compared, which took so long. */
  default void relisted(Duration took) {}
}
