package dev.vertlet.kubelet.container;

import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;

/** Status of containers in a restart of all containers of their pod. */
public final class RestartOfAll {
  /** Reason of waiting containers, and of the ends of their previous instances. */
  public static final String REASON = "RestartingAllContainers";

  private static final String MESSAGE =
      "The container is removed because RestartAllContainers in place";

  private static final int EXIT_CODE = 137;

  /** End of a removed instance. */
  static final Terminated END = new Terminated(EXIT_CODE, 0, REASON, MESSAGE, null, null, null);

  /** State of the container until its next instance starts. */
  static final Waiting WAITING = new Waiting(REASON, MESSAGE);

  private RestartOfAll() {}

  /** Whether the newest instance counts as removed, with none after it. */
  public static boolean removed(ContainerSlot slot) {
    Terminated last = slot.last();
    return slot.current() == null && last != null && REASON.equals(last.reason());
  }
}
