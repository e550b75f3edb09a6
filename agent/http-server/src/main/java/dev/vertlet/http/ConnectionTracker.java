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
 * The open connections of one server, and what those hold that were not admitted. A connection is
 * trusted from its first admitted request on; a trusted one is never closed to make room. Confined
 * to the server's event loop.
 */
final class ConnectionTracker {
  /** Over HTTP/1.1 a connection has one request at a time; no stream has this number. */
  static final int HTTP1 = 0;

  /**
   * Most bytes that may wait to be sent to a client that is not admitted; its connection is closed
   * beyond them. Answers to such clients are smaller.
   */
  private static final long MOST_UNSENT = 256 << 10;

  private final ConnectionLimits limits;
  private final RefusedConnections refused;
  private final LongSupplier nanos;
  private final Set<TrackedConnection> open = new LinkedHashSet<>();
  private final Map<String, Client> clients = new HashMap<>();

  /** Bytes of all connections. */
  private long held;

  private static final class Client {
    long held;
    int connections;

    /** The oldest first. */
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

  /** Open connections, handshakes included. */
  int size() {
    return open.size();
  }

  /** Bytes that count by now. */
  long held() {
    return held;
  }

  /**
   * A client has connected. The connection is closed at once where there is no room.
   *
   * @param bytes that the connection counts
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

  /** The connection has ended, by whom ever. */
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

  /** From now on the head of a first request is waited for. */
  void handshakeEnded(TrackedConnection connection) {
    connection.headSince = nanos.getAsLong();
  }

  /**
   * The connection turns out to need more than others.
   *
   * @param bytes that it counts beside those of {@link #opened}
   */
  void grown(TrackedConnection connection, long bytes) {
    if (!connection.trusted) {
      hold(connection, bytes);
    }
  }

  /** Bytes have come that belong to no admitted request; they count until {@link #released}. */
  void received(TrackedConnection connection, long bytes) {
    boolean quiet = connection.underWay.isEmpty() && !connection.readingBody;
    if (quiet && connection.headSince == TrackedConnection.NONE) {
      connection.headSince = nanos.getAsLong();
    }
    if (hold(connection, bytes)) {
      connection.received += bytes;
    }
  }

  /** What {@link #received} has counted is gone, or part of a request. */
  void released(TrackedConnection connection) {
    if (connection.open) {
      add(connection, -connection.received);
    }
    connection.received = 0;
  }

  /** A head is under way on a connection that may have other requests. */
  void headBegan(TrackedConnection connection) {
    connection.headSince = nanos.getAsLong();
  }

  /** A head is complete. */
  void headEnded(TrackedConnection connection) {
    connection.headSince = TrackedConnection.NONE;
    connection.idleSince = nanos.getAsLong();
  }

  /**
   * A request has begun.
   *
   * @param id its stream, or {@link #HTTP1}
   * @param bytes that it counts until it is admitted or has ended
   * @return whether it may be served; a connection that is not trusted may be closed by now
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

  /** A part of the body has come; nothing where the request is admitted. */
  void bodyReceived(TrackedConnection connection, int id, long bytes) {
    Pending request = connection.pending.get(id);
    if (request != null && hold(connection, bytes)) {
      request.held += bytes;
    }
  }

  /**
   * A large answer is about to be written to a client that may not be admitted.
   *
   * @return whether it may
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

  /** The client may have what it asks for; nothing where the request has ended. */
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
    // what else has come on it and is not admitted still counts
    long others = connection.pending.values().stream().mapToLong(other -> other.held).sum();
    add(connection, connection.received + others - connection.held);
  }

  /** The body of the last request over HTTP/1.1 is complete; its answer may have come before. */
  void bodyEnded(TrackedConnection connection) {
    connection.readingBody = false;
    connection.idleSince = nanos.getAsLong();
    if (connection.underWay.isEmpty()) {
      release(connection);
    }
  }

  /**
   * A request has been answered or broken off; nothing where none has begun.
   *
   * @return whether its connection may go on for now. Over HTTP/1.1 the server keeps a refused
   *     request until its body is complete, and what has come behind it: these go on counting, and
   *     {@link #isSettled} is to be asked a little later
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
   * Whether a refused request over HTTP/1.1 has left nothing behind, or another one has come; its
   * connection is to be closed otherwise.
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

  /** Closes what has waited for too long. */
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

  /** The request no longer waits for its admission. */
  private void forget(TrackedConnection connection, int id) {
    Pending request = connection.pending.remove(id);
    if (request != null && connection.open) {
      add(connection, -request.held);
    }
  }

  /** Makes room where there is none; whether the bytes count now. */
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

  /** Closes the oldest connection of the client that holds most; whether there is one. */
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
