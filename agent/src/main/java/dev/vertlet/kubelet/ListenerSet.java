package dev.vertlet.kubelet;

import dev.vertlet.auth.ServingTls;
import dev.vertlet.config.ServerConfig;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.BindException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Listeners of the kubelet API, each of which can be reconfigured. Confined to the server's event
 * loop; one call at a time.
 */
final class ListenerSet {
  private final ServerConfig config;
  private final Sockets sockets;
  private final NodeApis fronts;

  /** Listeners by the first node that each serves. */
  private final Map<String, Entry> doors = new LinkedHashMap<>();

  /** One listener with its current state. */
  static final class Entry {
    final String node;
    final String as;
    final Listener listener;
    NodeServer settings;
    NodeApis.Front front;
    NodeApis.NodeApi shown;

    @SuppressWarnings("NullAway.Init") // set when it is open
    HttpServer server;

    Entry(
        String node,
        String as,
        Listener listener,
        NodeServer settings,
        NodeApis.Front front,
        NodeApis.NodeApi shown) {
      this.node = node;
      this.as = as;
      this.listener = listener;
      this.settings = settings;
      this.front = front;
      this.shown = shown;
    }

    int port() {
      return server.actualPort();
    }

    void handle(HttpServerRequest request) {
      answer(listener, request);
    }

    /** Handles a request of another listener with this one's access and routes. */
    void answer(Listener other, HttpServerRequest request) {
      front.dispatcher().handle(other, request);
    }
  }

  /**
   * @param config configuration of the process
   */
  ListenerSet(ServerConfig config, Sockets sockets, NodeApis fronts) {
    this.config = config;
    this.sockets = sockets;
    this.fronts = fronts;
  }

  /** Returns the open listeners in order. */
  Collection<Entry> all() {
    return doors.values();
  }

  /**
   * A listener to open.
   *
   * @param node first node that it serves
   * @param as name whose certificate it uses
   */
  record Asked(String node, String as, Listener listener, NodeServer settings) {
    Asked(String node, Listener listener, NodeServer settings) {
      this(node, node, listener, settings);
    }
  }

  /** Opens the listeners in turn, so that a restart gets the same ports while they are free. */
  Future<?> open(List<Asked> all) {
    Map<ServingTls, Set<String>> alike = new LinkedHashMap<>();
    Set<Integer> ports = new HashSet<>();
    for (Asked asked : all) {
      alike.computeIfAbsent(asked.settings.config().tls(), tls -> new HashSet<>()).add(asked.as);
      ports.add(asked.settings.port());
    }
    Future<?> chain = Future.succeededFuture();
    for (Map.Entry<ServingTls, Set<String>> one : alike.entrySet()) {
      chain = chain.compose(v -> fronts.shown(one.getKey(), one.getValue()));
    }
    Iterator<Integer> ranged =
        config.portRange().any()
            ? Collections.nCopies(all.size(), 0).iterator()
            : config.portRange().ports().stream().filter(port -> !ports.contains(port)).iterator();
    for (Asked asked : all) {
      chain = chain.compose(v -> open(asked, ranged));
    }
    return chain;
  }

  private Future<?> open(Asked asked, Iterator<Integer> ranged) {
    NodeServer settings = asked.settings;
    return fronts
        .front(settings.answering())
        .compose(
            front ->
                fronts
                    .shown(settings.config().tls(), Set.of(asked.as))
                    .map(
                        shown ->
                            new Entry(
                                asked.node, asked.as, asked.listener, settings, front, shown)))
        .compose(door -> opened(door, settings, ranged));
  }

  private Future<?> opened(Entry door, NodeServer settings, Iterator<Integer> ranged) {
    return listen(door, settings, options(door, door.shown), ranged)
        .onSuccess(
            server -> {
              door.server = server;
              doors.put(door.node, door);
            });
  }

  /** Listens on the configured port, or on the next free port of the range. */
  private Future<HttpServer> listen(
      Entry door, NodeServer settings, HttpServerOptions options, Iterator<Integer> ranged) {
    String address = settings.config().kubeletAddress();
    int port = settings.port();
    if (port == 0) {
      return next(door, options, address, ranged, "no port is left");
    }
    Future<HttpServer> server =
        sockets.has(port) || own(port)
            ? Future.failedFuture("this agent listens there already")
            : sockets.open(options, address, port, door::handle);
    return server.recover(
        failure ->
            Future.failedFuture(
                VertxException.noStackTrace(
                    "cannot listen on address %s, port %d, which the config of node %s names: %s"
                        .formatted(address, port, door.node, reason(failure)))));
  }

  /** Returns whether the port belongs to another server of the agent. */
  private boolean own(int port) {
    return port == config.port() || port == config.readOnlyPort() || port == config.healthzPort();
  }

  private Future<HttpServer> next(
      Entry door, HttpServerOptions options, String address, Iterator<Integer> ports, String last) {
    if (!ports.hasNext()) {
      return Future.failedFuture(
          refused(address, "portRange", config.portRange().toString(), last));
    }
    int port = ports.next();
    if (sockets.has(port)) {
      return next(door, options, address, ports, last);
    }
    return sockets
        .open(options, address, port, door::handle)
        .recover(
            failure ->
                failure instanceof BindException && !config.portRange().any()
                    ? next(door, options, address, ports, reason(failure))
                    : Future.failedFuture(
                        refused(address, "portRange", Integer.toString(port), reason(failure))));
  }

  /** Closes a listener after a grace period for clients that still use it. */
  void close(String node) {
    Entry door = doors.remove(node);
    if (door != null) {
      sockets.retire(door.server);
    }
  }

  /**
   * Reconfigures the listener of a node.
   *
   * @return whether anything changed; fails without any change
   */
  Future<Boolean> change(String node, NodeServer settings) {
    Entry door = doors.get(node);
    if (door == null || settings.equals(door.settings)) {
      return Future.succeededFuture(false);
    }
    Future<Boolean> changed =
        fronts
            .front(settings.answering())
            .compose(
                front ->
                    fronts
                        .shown(settings.config().tls(), Set.of(door.as))
                        .compose(shown -> change(door, settings, front, shown)));
    return changed.onComplete(
        done ->
            fronts.keep(
                doors.values().stream().map(one -> one.front).toList(),
                doors.values().stream().map(one -> one.shown).toList()));
  }

  private Future<Boolean> change(
      Entry door, NodeServer settings, NodeApis.Front front, NodeApis.NodeApi shown) {
    NodeServer before = door.settings;
    int port = door.port();
    return moved(door, settings, options(door, shown))
        .map(
            v -> {
              boolean different =
                  front != door.front
                      || shown != door.shown
                      || port != door.port()
                      || !settings
                          .config()
                          .kubeletAddress()
                          .equals(before.config().kubeletAddress());
              door.settings = settings;
              door.front = front;
              door.shown = shown;
              return different;
            });
  }

  private static HttpServerOptions options(Entry door, NodeApis.NodeApi shown) {
    return shown.papers().options(door.as);
  }

  private Future<?> moved(Entry door, NodeServer settings, HttpServerOptions options) {
    NodeServer before = door.settings;
    HttpServer old = door.server;
    if (settings.stays(before, door.port())) {
      return before.config().tls().equals(settings.config().tls())
          ? Future.succeededFuture()
          : old.updateSSLOptions(options.getSslOptions(), true);
    }
    if (settings.port() == door.port() || settings.port() == 0 && before.port() == 0) {
      return rebound(door, settings.config().kubeletAddress(), options);
    }
    Iterator<Integer> ranged =
        config.portRange().any() ? List.of(0).iterator() : config.portRange().ports().iterator();
    return listen(door, settings, options, ranged)
        .onSuccess(
            server -> {
              door.server = server;
              sockets.retire(old);
            });
  }

  /**
   * Rebinds the same port on another address. The old listener is closed first, as the addresses
   * may overlap.
   */
  private Future<?> rebound(Entry door, String address, HttpServerOptions options) {
    int port = door.port();
    return sockets
        .end(door.server)
        .compose(v -> sockets.open(options, address, port, door::handle))
        .onSuccess(server -> door.server = server)
        .recover(
            failure ->
                sockets
                    .open(
                        options(door, door.shown),
                        door.settings.config().kubeletAddress(),
                        port,
                        door::handle)
                    .onSuccess(server -> door.server = server)
                    .compose(
                        server ->
                            Future.failedFuture(
                                refused(
                                    address,
                                    "portRange",
                                    Integer.toString(port),
                                    reason(failure)))));
  }

  static VertxException refused(String address, String key, String value, String reason) {
    return VertxException.noStackTrace(
        "cannot listen on server.kubeletAddress %s, server.%s %s: %s; --set server.%s=… takes another, --set server.enableServer=false does without"
            .formatted(address, key, value, reason, key));
  }

  static String reason(Throwable failure) {
    return String.valueOf(failure.getMessage());
  }
}
