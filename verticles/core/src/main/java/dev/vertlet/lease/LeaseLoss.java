package dev.vertlet.lease;

/** Why a lease was lost unintentionally. */
enum LeaseLoss {
  /** The API server accepted no renewal during the hold. */
  NOT_RENEWED,

  /** No renewal was sent, because the node's provider did not answer pings. */
  PROVIDER,

  /** Another agent holds the lease, or none does. */
  TAKEN
}
