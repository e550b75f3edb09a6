package dev.vertlet.kube;

/** How to handle a failed request. {@link KubeException#recovery()} decides it. */
public enum Recovery {
  /**
   * Send the same request again, after the back-off or the server's Retry-After, for as long as it
   * is needed.
   */
  RETRY,
  /** Read the object again and decide again: another client has changed or deleted it. */
  REREAD,
  /** The resourceVersion is too old: list again. */
  RELIST,
  /**
   * New credentials are needed; the client has already tried once with fresh ones. Retry after the
   * back-off, as a token may be replaced at any moment: each try reads the credentials again, at
   * most once a second.
   */
  REAUTHENTICATE,
  /** A permission is missing, which a person has to grant. Retry at the slowest pace. */
  AUTHORIZE,
  /** The request itself is wrong; sending it again cannot help. */
  GIVE_UP
}
