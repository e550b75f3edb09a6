package dev.vertlet.kube;

/** What to do about a failed request. Decided in one place, {@link KubeException#recovery()}. */
public enum Recovery {
  /**
   * The same request again, after the back-off or the server's Retry-After, for as long as the
   * object wants it.
   */
  RETRY,
  /** Read the object again and decide anew: somebody else wrote it, or it is gone. */
  REREAD,
  /** The resourceVersion is too old: list again. */
  RELIST,
  /**
   * New credentials are needed; the client has already tried once with fresh ones. Retried at the
   * slowest pace.
   */
  REAUTHENTICATE,
  /** The request itself is wrong; sending it again cannot help. */
  GIVE_UP
}
