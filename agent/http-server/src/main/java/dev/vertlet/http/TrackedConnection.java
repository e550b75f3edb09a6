package dev.vertlet.http;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** State of one connection in the tracker. Only {@link ConnectionTracker} writes it. */
final class TrackedConnection {
  /** Actions on the connection that the tracker needs. */
  interface Ends {
    void close();

    /**
     * Aborts one request, or its connection when that is impossible.
     *
     * @param id ID from {@link ConnectionTracker#requestBegan}
     */
    void abort(int id);

    /** Returns the bytes that wait until the client reads. */
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

  /** Unadmitted requests by stream; HTTP/1.1 has at most one. */
  final Map<Integer, Pending> pending = new HashMap<>(4);

  /** Bytes of an incomplete header, or of a body before its request's admission. */
  long received;

  /** All counted bytes, including {@link #received}. */
  long held;

  /** In-flight requests, admitted or not. */
  final Set<Integer> underWay = new HashSet<>(4);

  /** Whether the body of the last HTTP/1.1 request is incomplete. */
  boolean readingBody;

  boolean trusted;
  boolean open = true;

  /** Start of the wait for a header, in nanoseconds. */
  long headSince = NONE;

  /** End of the last request, in nanoseconds. */
  long idleSince;

  /**
   * @param client name from {@link ClientShare}
   */
  TrackedConnection(String client, Ends ends) {
    this.client = client;
    this.ends = ends;
  }
}
