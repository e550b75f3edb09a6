package dev.vertlet.lifecycle;

import dev.vertlet.model.ContainerStateView.Terminated;

/** What is shown of a container that was running and cannot be found any more. */
final class Unlocated {
  static final int EXIT_CODE = 137;
  static final String REASON = "ContainerStatusUnknown";
  static final String MESSAGE = "The container could not be located when the pod was terminated";

  /** Of a container of which nothing is known at all. */
  static final Terminated STATE = new Terminated(EXIT_CODE, 0, REASON, MESSAGE, null, null, null);

  private Unlocated() {}
}
