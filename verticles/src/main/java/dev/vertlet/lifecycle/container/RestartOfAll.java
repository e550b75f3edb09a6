package dev.vertlet.lifecycle.container;

import dev.vertlet.model.ContainerStateView.Terminated;
import dev.vertlet.model.ContainerStateView.Waiting;

/** What is shown of containers that start anew because one of their pod has ended so. */
public final class RestartOfAll {
  /**
   * Of containers that wait to start anew, and how their instances before are said to have ended.
   */
  public static final String REASON = "RestartingAllContainers";

  private static final String MESSAGE =
      "The container is removed because RestartAllContainers in place";

  private static final int EXIT_CODE = 137;

  /** How an instance ended that was removed. */
  static final Terminated END = new Terminated(EXIT_CODE, 0, REASON, MESSAGE, null, null, null);

  /** What its container shows until the next instance is there. */
  static final Waiting WAITING = new Waiting(REASON, MESSAGE);

  private RestartOfAll() {}
}
