package dev.vertlet.api;

import dev.vertlet.api.route.NodeServer;
import dev.vertlet.auth.tls.ServingTls;
import dev.vertlet.server.ServerSettings;
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
  private final ServerSettings config;
  private final Sockets sockets;
  private final NodeApis apis;

  /** Listeners by the first node that each serves. */
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /** One listener with its current state. */
  static final class Entry {
    final String node;
    final String as;
    final Listener listener;
    NodeServer settings;
    NodeApis.Handling handling;
    NodeApis.NodeApi shown;

    @SuppressWarnings("NullAway.Init") // set when it is open
    HttpServer server;

    Entry(
        String node,
        String as,
        Listener listener,
        NodeServer settings,
        NodeApis.Handling handling,
        NodeApis.NodeApi shown) {
      this.node = node;
      this.as = as;
      this.listener = listener;
      this.settings = settings;
      this.handling = handling;
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
      handling.dispatcher().handle(other, request);
    }
  }

  /**
   * @param config configuration of the process
   */
  ListenerSet(ServerSettings config, Sockets sockets, NodeApis apis) {
    this.config = config;
    this.sockets = sockets;
    this.apis = apis;
  }

  /** Returns the open listeners in order. */
  Collection<Entry> all() {
    return entries.values();
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
      chain = chain.compose(v -> apis.shown(one.getKey(), one.getValue()));
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
    return apis.handling(settings.answering())
        .compose(
            handling ->
                apis.shown(settings.config().tls(), Set.of(asked.as))
                    .map(
                        shown ->
                            new Entry(
                                asked.node, asked.as, asked.listener, settings, handling, shown)))
        .compose(entry -> opened(entry, settings, ranged));
  }

  private Future<?> opened(Entry entry, NodeServer settings, Iterator<Integer> ranged) {
    return listen(entry, settings, options(entry, entry.shown), ranged)
        .onSuccess(
            server -> {
              entry.server = server;
              entries.put(entry.node, entry);
            });
  }

  /** Listens on the configured port, or on the next free port of the range. */
  private Future<HttpServer> listen(
      Entry entry, NodeServer settings, HttpServerOptions options, Iterator<Integer> ranged) {
    String address = settings.config().kubeletAddress();
    int port = settings.port();
    if (port == 0) {
      return next(entry, options, address, ranged, "no port is left");
    }
    Future<HttpServer> server =
        sockets.has(port) || own(port)
            ? Future.failedFuture("this agent listens there already")
            : sockets.open(options, address, port, entry::handle);
    return server.recover(
        failure ->
            Future.failedFuture(
                VertxException.noStackTrace(
                    "cannot listen on address %s, port %d, which the config of node %s names: %s"
                        .formatted(address, port, entry.node, reason(failure)))));
  }

  /** Returns whether the port belongs to another server of the agent. */
  private boolean own(int port) {
    return port == config.port() || port == config.readOnlyPort() || port == config.healthzPort();
  }

  private Future<HttpServer> next(
      Entry entry,
      HttpServerOptions options,
      String address,
      Iterator<Integer> ports,
      String last) {
    if (!ports.hasNext()) {
      return Future.failedFuture(
          refused(address, "portRange", config.portRange().toString(), last));
    }
    int port = ports.next();
    if (sockets.has(port)) {
      return next(entry, options, address, ports, last);
    }
    return sockets
        .open(options, address, port, entry::handle)
        .recover(
            failure ->
                failure instanceof BindException && !config.portRange().any()
                    ? next(entry, options, address, ports, reason(failure))
                    : Future.failedFuture(
                        refused(address, "portRange", Integer.toString(port), reason(failure))));
  }

  /** Closes a listener after a grace period for clients that still use it. */
  void close(String node) {
    Entry entry = entries.remove(node);
    if (entry != null) {
      sockets.retire(entry.server);
    }
  }

  /**
   * Reconfigures the listener of a node.
   *
   * @return whether anything changed; fails without any change
   */
  Future<Boolean> change(String node, NodeServer settings) {
    Entry entry = entries.get(node);
    if (entry == null || settings.equals(entry.settings)) {
      return Future.succeededFuture(false);
    }
    Future<Boolean> changed =
        apis.handling(settings.answering())
            .compose(
                handling ->
                    apis.shown(settings.config().tls(), Set.of(entry.as))
                        .compose(shown -> change(entry, settings, handling, shown)));
    return changed.onComplete(
        done ->
            apis.keep(
                entries.values().stream().map(one -> one.handling).toList(),
                entries.values().stream().map(one -> one.shown).toList()));
  }

  private Future<Boolean> change(
      Entry entry, NodeServer settings, NodeApis.Handling handling, NodeApis.NodeApi shown) {
    NodeServer before = entry.settings;
    int port = entry.port();
    return moved(entry, settings, options(entry, shown))
        .map(
            v -> {
              boolean different =
                  handling != entry.handling
                      || shown != entry.shown
                      || port != entry.port()
                      || !settings
                          .config()
                          .kubeletAddress()
                          .equals(before.config().kubeletAddress());
              entry.settings = settings;
              entry.handling = handling;
              entry.shown = shown;
              return different;
            });
  }

  private static HttpServerOptions options(Entry entry, NodeApis.NodeApi shown) {
    return shown.identity().options(entry.as);
  }

  private Future<?> moved(Entry entry, NodeServer settings, HttpServerOptions options) {
    NodeServer before = entry.settings;
    HttpServer old = entry.server;
    if (settings.stays(before, entry.port())) {
      return before.config().tls().equals(settings.config().tls())
          ? Future.succeededFuture()
          : old.updateSSLOptions(options.getSslOptions(), true);
    }
    if (settings.port() == entry.port() || settings.port() == 0 && before.port() == 0) {
      return rebound(entry, settings.config().kubeletAddress(), options);
    }
    Iterator<Integer> ranged =
        config.portRange().any() ? List.of(0).iterator() : config.portRange().ports().iterator();
    return listen(entry, settings, options, ranged)
        .onSuccess(
            server -> {
              entry.server = server;
              sockets.retire(old);
            });
  }

  /**
   * Rebinds the same port on another address. The old listener is closed first, as the addresses
   * may overlap.
   */
  private Future<?> rebound(Entry entry, String address, HttpServerOptions options) {
    int port = entry.port();
    return sockets
        .end(entry.server)
        .compose(v -> sockets.open(options, address, port, entry::handle))
        .onSuccess(server -> entry.server = server)
        .recover(
            failure ->
                sockets
                    .open(
                        options(entry, entry.shown),
                        entry.settings.config().kubeletAddress(),
                        port,
                        entry::handle)
                    .onSuccess(server -> entry.server = server)
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
        ("cannot listen on server.kubeletAddress %s, server.%s %s: %s; --set server.%s=… takes"
                + " another, --set server.enableServer=false turns the server off")
            .formatted(address, key, value, reason, key));
  }

  static String reason(Throwable failure) {
    return String.valueOf(failure.getMessage());
  }
}
