package dev.vertlet.api;

import dev.vertlet.api.route.NodeServer;
import dev.vertlet.auth.tls.ServingNames;
import dev.vertlet.auth.tls.ServingTls;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Access control, request handling and TLS identities of the listeners. Listeners with equal
 * settings share an object; it is created for the first listener that needs it and closed after the
 * last one. Confined to the server's event loop; one call at a time.
 */
final class NodeApis {
  private final Security security;
  private final List<ServingNames> all;
  private final BiFunction<Security.AccessPolicy, NodeServer.Answering, RouteDispatcher>
      dispatchers;
  private final List<Handling> handlings = new ArrayList<>();
  private final List<NodeApi> showing = new ArrayList<>();

  /** Access control and request handling of listeners with equal settings. */
  record Handling(
      NodeServer.Answering by, Security.AccessPolicy access, RouteDispatcher dispatcher) {}

  /** TLS identity of the listeners of these nodes. */
  record NodeApi(ServingTls tls, Set<String> nodes, Security.TlsIdentity identity) {}

  /**
   * @param all names of every listener
   */
  NodeApis(
      Security security,
      List<ServingNames> all,
      BiFunction<Security.AccessPolicy, NodeServer.Answering, RouteDispatcher> dispatchers) {
    this.security = security;
    this.all = List.copyOf(all);
    this.dispatchers = dispatchers;
  }

  Future<Handling> handling(NodeServer.Answering by) {
    for (Handling handling : handlings) {
      if (handling.by.equals(by)) {
        return Future.succeededFuture(handling);
      }
    }
    return security
        .accessPolicy(by.authentication(), by.authorization())
        .map(access -> new Handling(by, access, dispatchers.apply(access, by)))
        .onSuccess(handlings::add);
  }

  /**
   * Returns the TLS identity.
   *
   * @param nodes nodes whose listeners use it
   */
  Future<NodeApi> shown(ServingTls tls, Set<String> nodes) {
    for (NodeApi shown : showing) {
      if (shown.tls.equals(tls) && shown.nodes.containsAll(nodes)) {
        return Future.succeededFuture(shown);
      }
    }
    // an issued certificate belongs to one node; any other serves all nodes
    List<ServingNames> listeners =
        tls.serverTLSBootstrap()
            ? all.stream().filter(names -> nodes.contains(names.node())).toList()
            : all;
    Set<String> named = listeners.stream().map(ServingNames::node).collect(Collectors.toSet());
    return security
        .tlsIdentity(tls, listeners, all)
        .map(identity -> new NodeApi(tls, named, identity))
        .onSuccess(showing::add);
  }

  /** Closes the objects that no listener uses. */
  void keep(Collection<Handling> handlingsInUse, Collection<NodeApi> shownInUse) {
    Set<Handling> left = new HashSet<>(handlings);
    left.removeAll(Set.copyOf(handlingsInUse));
    handlings.removeAll(left);
    left.forEach(handling -> handling.access.close());
    Set<NodeApi> unseen = new HashSet<>(showing);
    unseen.removeAll(Set.copyOf(shownInUse));
    showing.removeAll(unseen);
    unseen.forEach(shown -> shown.identity.close());
  }

  Future<Void> close() {
    List<Future<Void>> ended = new ArrayList<>();
    showing.forEach(shown -> ended.add(shown.identity.close()));
    handlings.forEach(handling -> ended.add(handling.access.close()));
    return ended.isEmpty() ? Future.succeededFuture() : Future.join(ended).mapEmpty();
  }
}
