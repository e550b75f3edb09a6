package dev.vertlet.lease;

/** Why the hold on a lease ended although nothing ended it on purpose. */
enum LeaseLoss {
  /** No renewal was accepted while the hold lasted. */
  NOT_RENEWED,

  /** No renewal was sent, as the node's provider did not answer pings. */
  PROVIDER,

  /** It is another holder's, or nobody's. */
  TAKEN
}
