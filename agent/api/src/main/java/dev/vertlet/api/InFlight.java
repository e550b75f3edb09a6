package dev.vertlet.api;

/**
 * Counts the in-flight requests of all listeners. Listeners without authentication have a separate
 * count, so that their requests use up no slots of authenticated clients. Confined to the server's
 * event loop.
 */
final class InFlight {
  private final Count admitted = new Count();
  private final Count open = new Count();

  static final class Count {
    int served;
  }

  /** Returns the count for a listener's requests. */
  Count of(Listener listener) {
    return listener.open() ? open : admitted;
  }
}
