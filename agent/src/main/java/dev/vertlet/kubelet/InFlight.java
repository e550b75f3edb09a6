package dev.vertlet.kubelet;

/**
 * Counts the requests under way on all listeners. Those of listeners without authentication are
 * counted apart, so that they take no places of authenticated clients. Confined to the server's
 * event loop.
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
