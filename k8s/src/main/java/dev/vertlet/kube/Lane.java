package dev.vertlet.kube;

/** Priority of a request, highest first: a request waits while a request of a higher lane waits. */
public enum Lane {
  /** Lease renewals; they also have a connection of their own. */
  LEASE,
  NODE,
  POD_STATUS,
  EVENT,
  REST
}
