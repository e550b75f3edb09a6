package dev.vertlet.lifecycle.container;

import dev.vertlet.provider.ProbeKind;

/** Why a container is asked to end. */
public enum StopCause {
  /** The pod ends. */
  POD_ENDS,
  /** Its definition changed: another instance follows whatever the restart policy says. */
  REDEFINED,
  /** It has to start anew to get the resources that it was granted. */
  RESIZED,
  /** Its liveness probe failed: another instance follows unless the policy is Never. */
  LIVENESS,
  /** The same for its startup probe. */
  STARTUP,
  /** Its postStart hook failed. */
  POST_START,
  /** All containers of the pod start anew. */
  RESTART_OF_ALL;

  public static StopCause of(ProbeKind kind) {
    return kind == ProbeKind.STARTUP ? STARTUP : LIVENESS;
  }

  /** Another instance follows whatever the restart policy says. */
  boolean swaps() {
    return this == REDEFINED || this == RESIZED;
  }

  /** The container's preStop hook runs before its end. */
  public boolean runsHook() {
    return this != RESTART_OF_ALL;
  }

  boolean probe() {
    return this == LIVENESS || this == STARTUP;
  }
}
