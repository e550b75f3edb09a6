package dev.vertlet.http;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What one connection holds and waits for. Written by {@link ConnectionTracker} alone. */
final class TrackedConnection {
  /** Ends what the tracker does not allow any longer. */
  interface Ends {
    void close();

    /**
     * Ends one request, and where that is not possible its connection.
     *
     * @param id of {@link ConnectionTracker#requestBegan}
     */
    void abort(int id);

    /** Bytes that wait until the client reads. */
    long unsent();
  }

  /** A request that is not admitted. */
  static final class Pending {
    final long since;
    long held;

    Pending(long since, long held) {
      this.since = since;
      this.held = held;
    }
  }

  static final long NONE = Long.MIN_VALUE;

  final String client;
  final Ends ends;

  /** Requests by their stream; of HTTP/1.1 there is one. */
  final Map<Integer, Pending> pending = new HashMap<>(4);

  /**
   * Bytes of a head that is not complete, or of a body that came before its request is admitted.
   */
  long received;

  /** All bytes that count, {@link #received} among them. */
  long held;

  /** Requests that have begun and not ended, admitted or not. */
  final Set<Integer> underWay = new HashSet<>(4);

  /** Whether a part of the last request's body is still to come, over HTTP/1.1. */
  boolean readingBody;

  boolean trusted;
  boolean open = true;

  /** When the wait for a head has begun, in nanoseconds. */
  long headSince = NONE;

  /** When the last request has ended, in nanoseconds. */
  long idleSince;

  /**
   * @param client that {@link ClientShare} names
   */
  TrackedConnection(String client, Ends ends) {
    this.client = client;
    this.ends = ends;
  }
}
