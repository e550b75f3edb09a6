package dev.vertlet.kube;

/** Priority of a request, highest first: a request waits while one of a higher lane waits. */
public enum Lane {
  /** Lease renewals; they have a connection of their own, too. */
  LEASE,
  NODE,
  POD_STATUS,
  EVENT,
  REST
}
