package dev.vertlet.sandbox.pool;

/** Next step for a pod. */
enum PodStep {
  NOTHING,
  /** The pod can be claimed. */
  OFFER,
  /** The pod's update may be complete. */
  LOOK,
  /** The pod's start takes too long. */
  GIVE_UP,
  /** The sandbox was idle for too long. */
  END_UNUSED,
  /** A container of the sandbox died. */
  END_RESTARTED,
  /** The pod can never serve again. */
  REMOVE,
  /** The pod was created from another template. */
  RENEW,
  /** The pod is being deleted: our finalizer must be removed. */
  LET_GO
}
