package dev.vertlet.kubelet;

/** What all listeners have under way together. Confined to the server's event loop. */
final class InFlight {
  /** Those who are let in, and those of whom that is asked: strangers take no place of others. */
  int served;

  int asked;
}
