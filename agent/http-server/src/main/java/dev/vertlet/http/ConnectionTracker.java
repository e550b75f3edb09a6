package dev.vertlet.http;

import dev.vertlet.http.TrackedConnection.Pending;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Tracks the open connections of one server and the bytes that unadmitted ones hold. A connection
 * is trusted from its first admitted request on; a trusted connection is never closed to make room.
 * Confined to the server's event loop.
 */
final class ConnectionTracker {
  /** ID of the only HTTP/1.1 request at a time; no stream has this ID. */
  static final int HTTP1 = 0;

  /**
   * Most bytes queued for an unadmitted client; above it the connection is closed. Responses to
   * such clients are smaller.
   */
  private static final long MOST_UNSENT = 256 << 10;

  private final ConnectionLimits limits;
  private final RefusedConnections refused;
  private final LongSupplier nanos;
  private final Set<TrackedConnection> open = new LinkedHashSet<>();
  private final Map<String, Client> clients = new HashMap<>();

  private long held;

  private static final class Client {
    long held;
    int connections;

    /** Untrusted connections, oldest first. */
    final Set<TrackedConnection> untrusted = new LinkedHashSet<>();
  }

  /**
   * @param nanos monotonic nanoseconds
   */
  ConnectionTracker(ConnectionLimits limits, RefusedConnections refused, LongSupplier nanos) {
    this.limits = limits;
    this.refused = refused;
    this.nanos = nanos;
  }

  /** Returns the number of open connections, handshakes included. */
  int size() {
    return open.size();
  }

  long held() {
    return held;
  }

  /**
   * Records a new connection, and closes it at once when there is no room.
   *
   * @param bytes bytes that the connection counts
   */
  void opened(TrackedConnection connection, long bytes) {
    Client client = clients.computeIfAbsent(connection.client, name -> new Client());
    boolean room = true;
    if (client.untrusted.size() >= Math.max(1, limits.connections() / 2)) {
      evict(client.untrusted.iterator().next(), CloseReason.MAX_CONNECTIONS);
    } else if (open.size() >= limits.connections()) {
      room = evictHeaviest(CloseReason.MAX_CONNECTIONS);
    }
    // an eviction may have removed the client's last connection, and the client with it
    client = clients.computeIfAbsent(connection.client, name -> new Client());
    client.connections++;
    client.untrusted.add(connection);
    open.add(connection);
    connection.headSince = nanos.getAsLong();
    if (!room) {
      evict(connection, CloseReason.MAX_CONNECTIONS);
      return;
    }
    hold(connection, bytes);
  }

  /** Records the end of the connection, whichever side closed it. */
  void closed(TrackedConnection connection) {
    if (!connection.open) {
      return;
    }
    connection.open = false;
    open.remove(connection);
    add(connection, -connection.held);
    Client client = client(connection);
    client.untrusted.remove(connection);
    client.connections--;
    if (client.connections == 0) {
      clients.remove(connection.client);
    }
  }

  /** Starts the time limit for the header of the first request. */
  void handshakeEnded(TrackedConnection connection) {
    connection.headSince = nanos.getAsLong();
  }

  /**
   * Adds bytes to the connection's count.
   *
   * @param bytes bytes besides those of {@link #opened}
   */
  void grown(TrackedConnection connection, long bytes) {
    if (!connection.trusted) {
      hold(connection, bytes);
    }
  }

  /** Counts received bytes of no admitted request until {@link #released}. */
  void received(TrackedConnection connection, long bytes) {
    boolean quiet = connection.underWay.isEmpty() && !connection.readingBody;
    if (quiet && connection.headSince == TrackedConnection.NONE) {
      connection.headSince = nanos.getAsLong();
    }
    if (hold(connection, bytes)) {
      connection.received += bytes;
    }
  }

  /** Ends the count of {@link #received} bytes: they were freed or belong to a request. */
  void released(TrackedConnection connection) {
    if (connection.open) {
      add(connection, -connection.received);
    }
    connection.received = 0;
  }

  /** Records the start of a header on a connection that may have other requests. */
  void headBegan(TrackedConnection connection) {
    connection.headSince = nanos.getAsLong();
  }

  void headEnded(TrackedConnection connection) {
    connection.headSince = TrackedConnection.NONE;
    connection.idleSince = nanos.getAsLong();
  }

  /**
   * Records the start of a request.
   *
   * @param id its stream, or {@link #HTTP1}
   * @param bytes bytes that it counts until its admission or end
   * @return whether it may be served; an untrusted connection may have been closed
   */
  boolean requestBegan(TrackedConnection connection, int id, long bytes) {
    connection.underWay.add(id);
    Pending request = new Pending(nanos.getAsLong(), 0);
    connection.pending.put(id, request);
    if (!hold(connection, bytes)) {
      return false;
    }
    request.held = bytes;
    return true;
  }

  /** Counts a part of the body; does nothing for an admitted request. */
  void bodyReceived(TrackedConnection connection, int id, long bytes) {
    Pending request = connection.pending.get(id);
    if (request != null && hold(connection, bytes)) {
      request.held += bytes;
    }
  }

  /**
   * Counts a large response that a possibly unadmitted client is about to get.
   *
   * @return whether it may be written
   */
  boolean answering(TrackedConnection connection, int id, long bytes) {
    Pending request = connection.pending.get(id);
    if (request == null) {
      return connection.open;
    }
    if (!hold(connection, bytes)) {
      return false;
    }
    request.held += bytes;
    return true;
  }

  /** Records the admission of a request; does nothing after its end. */
  void admitted(TrackedConnection connection, int id) {
    Pending request = connection.pending.remove(id);
    if (request == null || !connection.open) {
      return;
    }
    if (id == HTTP1) {
      released(connection);
    }
    connection.trusted = true;
    client(connection).untrusted.remove(connection);
    // unadmitted bytes of its other requests still count
    long others = connection.pending.values().stream().mapToLong(other -> other.held).sum();
    add(connection, connection.received + others - connection.held);
  }

  /** Records the end of the last HTTP/1.1 request's body; its response may have come before. */
  void bodyEnded(TrackedConnection connection) {
    connection.readingBody = false;
    connection.idleSince = nanos.getAsLong();
    if (connection.underWay.isEmpty()) {
      release(connection);
    }
  }

  /**
   * Records the end of a request by a response or a reset; does nothing when none has begun.
   *
   * @return whether its connection may continue for now. Over HTTP/1.1 the server keeps a rejected
   *     request, and bytes after it, until its body is complete. These still count, and the caller
   *     must check {@link #isSettled} a little later
   */
  boolean requestEnded(TrackedConnection connection, int id) {
    if (!connection.underWay.remove(id)) {
      return true;
    }
    forget(connection, id);
    connection.idleSince = nanos.getAsLong();
    if (id != HTTP1) {
      return true;
    }
    return release(connection);
  }

  /**
   * Returns whether a rejected HTTP/1.1 request has left no bytes, or another request has begun;
   * otherwise the connection must be closed.
   */
  boolean isSettled(TrackedConnection connection) {
    return !connection.underWay.isEmpty() || release(connection);
  }

  private boolean release(TrackedConnection connection) {
    boolean small = !connection.readingBody && connection.received <= ConnectionLimits.REQUEST;
    if (connection.trusted || small) {
      released(connection);
      return true;
    }
    return false;
  }

  /** Closes connections and requests that exceeded a time limit. */
  void sweep() {
    long now = nanos.getAsLong();
    for (TrackedConnection connection : new ArrayList<>(open)) {
      if (connection.headSince != TrackedConnection.NONE
          && now - connection.headSince >= limits.head().toNanos()) {
        evict(connection, CloseReason.HEAD_TIMEOUT);
      } else if (connection.underWay.isEmpty()
          && connection.headSince == TrackedConnection.NONE
          && now - connection.idleSince >= limits.idle().toNanos()) {
        end(connection);
      } else if (!connection.trusted && connection.ends.unsent() > MOST_UNSENT) {
        evict(connection, CloseReason.UNADMITTED_BYTES);
      } else {
        abortPending(connection, now);
      }
    }
  }

  private void abortPending(TrackedConnection connection, long now) {
    List<Integer> late =
        connection.pending.entrySet().stream()
            .filter(entry -> now - entry.getValue().since >= limits.admission().toNanos())
            .map(Map.Entry::getKey)
            .toList();
    for (int id : late) {
      forget(connection, id);
      refused.closed(CloseReason.ADMISSION_TIMEOUT, connection.client);
      connection.ends.abort(id);
    }
  }

  /** Removes a request that no longer waits for admission. */
  private void forget(TrackedConnection connection, int id) {
    Pending request = connection.pending.remove(id);
    if (request != null && connection.open) {
      add(connection, -request.held);
    }
  }

  /** Counts bytes and makes room for them; returns whether they are counted. */
  private boolean hold(TrackedConnection connection, long bytes) {
    if (!connection.open) {
      return false;
    }
    add(connection, bytes);
    while (held > limits.unadmittedBytes() && connection.open) {
      if (!evictHeaviest(CloseReason.UNADMITTED_BYTES)) {
        add(connection, -bytes);
        refused.closed(CloseReason.UNADMITTED_BYTES, connection.client);
        return false;
      }
    }
    return connection.open;
  }

  /** Closes the oldest connection of the client with the most bytes; returns whether it exists. */
  private boolean evictHeaviest(CloseReason reason) {
    Optional<Client> heaviest =
        clients.values().stream()
            .filter(client -> !client.untrusted.isEmpty())
            .max(Comparator.comparingLong(client -> client.held));
    heaviest.ifPresent(client -> evict(client.untrusted.iterator().next(), reason));
    return heaviest.isPresent();
  }

  private void evict(TrackedConnection connection, CloseReason reason) {
    refused.closed(reason, connection.client);
    end(connection);
  }

  private void end(TrackedConnection connection) {
    closed(connection);
    connection.ends.close();
  }

  private void add(TrackedConnection connection, long bytes) {
    connection.held += bytes;
    client(connection).held += bytes;
    held += bytes;
  }

  private Client client(TrackedConnection connection) {
    Client client = clients.get(connection.client);
    if (client == null) {
      throw new IllegalStateException("a connection of no client");
    }
    return client;
  }
}
