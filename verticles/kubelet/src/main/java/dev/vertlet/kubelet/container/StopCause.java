package dev.vertlet.kubelet.container;

import dev.vertlet.provider.probe.ProbeKind;

/** Why a container has to end. */
public enum StopCause {
  /** The pod ends. */
  POD_ENDS,
  /** The definition changed: another instance follows whatever the restart policy says. */
  REDEFINED,
  /** A resize requires a restart. */
  RESIZED,
  /** The liveness probe failed: another instance follows unless the policy is Never. */
  LIVENESS,
  /** The startup probe failed: another instance follows unless the policy is Never. */
  STARTUP,
  /** The postStart hook failed. */
  POST_START,
  /** All containers of the pod restart. */
  RESTART_OF_ALL;

  public static StopCause of(ProbeKind kind) {
    return kind == ProbeKind.STARTUP ? STARTUP : LIVENESS;
  }

  /** Whether another instance follows whatever the restart policy says. */
  boolean swaps() {
    return this == REDEFINED || this == RESIZED;
  }

  /** Whether the container's preStop hook runs before its end. */
  public boolean runsHook() {
    return this != RESTART_OF_ALL;
  }

  boolean probe() {
    return this == LIVENESS || this == STARTUP;
  }
}
