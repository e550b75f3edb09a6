package dev.vertlet.kubelet;

/**
 * What all listeners have under way together. Clients that nobody was asked about take no place of
 * others. Confined to the server's event loop.
 */
final class InFlight {
  private final Count admitted = new Count();
  private final Count open = new Count();

  /** Requests that are served. */
  static final class Count {
    int served;
  }

  /** Where the requests of a listener count. */
  Count of(Listener listener) {
    return listener.open() ? open : admitted;
  }
}
