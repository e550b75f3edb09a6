package dev.vertlet.sandbox.pool;

/** What has to be done about a pod. */
enum PodStep {
  NOTHING,
  /** A claim may have it. */
  OFFER,
  /** Its update may be done. */
  LOOK,
  /** Its start takes too long. */
  GIVE_UP,
  /** Nobody uses it. */
  END_UNUSED,
  /** One of its containers died. */
  END_RESTARTED,
  /** It can never serve again. */
  REMOVE,
  /** It was made from another template. */
  RENEW,
  /** It is being deleted, and nobody needs to wait for us. */
  LET_GO
}
