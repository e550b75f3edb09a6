package dev.vertlet.bus;

import java.util.Locale;

/** Reasons why the status of a {@link PodReport} is not written to the API server. */
public enum NotWritten {
  /** This agent does not hold the node's lease, or lost it before the status was sent. */
  NODE_NOT_SERVED,

  /** The API server does not hold the pod, or holds another one of its name. */
  POD_GONE,

  /** The static pod has no mirror pod; the status is written when it has one. */
  MIRROR_MISSING,

  /** The API server holds this status already. */
  UNCHANGED,

  /** A newer report arrived before this one was sent. */
  SUPERSEDED,

  /** The pod is Succeeded or Failed, which is final, and the report has another phase. */
  PHASE_FINAL,

  /** The API server has rejected this status as invalid. */
  REFUSED,

  /** The retry policy of an embedding program has given up the write. */
  GIVEN_UP,

  /** Profile {@code fast} deletes the object of an ended pod without its last status. */
  OBJECT_DELETED,

  /** The agent stops. */
  STOPPING;

  /** Value in logs and metrics, in lower case. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
