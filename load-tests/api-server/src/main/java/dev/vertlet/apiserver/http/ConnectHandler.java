package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.apiserver.kubelet.KubeletClient;
import dev.vertlet.apiserver.kubelet.Location;
import dev.vertlet.apiserver.kubelet.LogOptions;
import dev.vertlet.apiserver.kubelet.NodeEndpoint;
import dev.vertlet.apiserver.kubelet.PodContainers;
import dev.vertlet.apiserver.kubelet.ProxyAddress;
import dev.vertlet.apiserver.kubelet.ProxyName;
import dev.vertlet.apiserver.kubelet.Query;
import dev.vertlet.apiserver.kubelet.StreamOptions;
import dev.vertlet.apiserver.kubelet.Tunnels;
import dev.vertlet.apiserver.registry.Registry;
import dev.vertlet.apiserver.registry.Resource;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.Set;

/**
 * Serves the subresources that are answered by kubelets and pods: {@code pods/log}, {@code
 * pods/exec}, {@code pods/attach}, {@code pods/portforward}, {@code pods/proxy} and {@code
 * nodes/proxy}. Which object is asked for is decided here, from the registry; the rest is the
 * {@link KubeletClient}'s.
 */
public final class ConnectHandler {
  private static final String PROXY = "proxy";
  private static final Set<String> PROXIED =
      Set.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");
  private static final Set<String> UPGRADED = Set.of("GET", "POST");

  private static final Set<String> READ = Set.of("GET", "HEAD");

  /** Which methods each has. */
  private static final Map<String, Set<String>> METHODS =
      Map.of(
          "pods/log", Set.of("GET"),
          "pods/exec", UPGRADED,
          "pods/attach", UPGRADED,
          "pods/portforward", UPGRADED,
          "pods/proxy", PROXIED,
          "nodes/proxy", PROXIED);

  private final Vertx vertx;
  private final Registry registry;
  private final Resource pods;
  private final Resource nodes;
  private final KubeletClient kubelets;

  public ConnectHandler(
      Vertx vertx, Registry registry, Resource pods, Resource nodes, KubeletClient kubelets) {
    this.vertx = vertx;
    this.registry = registry;
    this.pods = pods;
    this.nodes = nodes;
    this.kubelets = kubelets;
  }

  /** Whether a request is for somebody else to answer. */
  boolean serves(RequestInfo info) {
    return info.apiVersion().equals("v1")
        && METHODS.containsKey(key(info))
        && !info.name().isEmpty()
        && info.namespace().isEmpty() == info.resource().equals("nodes");
  }

  private static String key(RequestInfo info) {
    return info.resource() + "/" + info.subresource();
  }

  /** Answers now or later, failures included. */
  void serve(Exchange exchange, RequestInfo info) {
    begin(exchange, info).onFailure(exchange::failBecauseOf);
  }

  private Future<Void> begin(Exchange exchange, RequestInfo info) {
    HttpServerRequest http = exchange.http();
    if (!METHODS.getOrDefault(key(info), Set.of()).contains(http.method().name())) {
      throw ApiException.methodNotAllowed();
    }
    Query query = new Query();
    http.params().forEach(entry -> query.add(entry.getKey(), entry.getValue()));
    if (info.subresource().equals("log")) {
      return log(exchange, query);
    } else if (!query.text("dryRun").isEmpty()) {
      throw ApiException.badRequest("dryRun is not supported");
    } else if (info.subresource().equals(PROXY)) {
      return info.resource().equals("nodes") ? nodeProxy(exchange, info) : podProxy(exchange, info);
    }
    return stream(exchange, query);
  }

  private Future<Void> log(Exchange exchange, Query query) {
    ApiRequest request = exchange.request();
    LogOptions options = LogOptions.of(query, request.name());
    ObjectNode pod = pod(request);
    String container = PodContainers.choose(pod, options.container());
    if (node(pod).isEmpty()) { // it will have a log, but nobody writes one yet
      return exchange.response().setStatusCode(204).end();
    }
    return kubelets.log(
        exchange.http(),
        Location.ofKubelet(
            endpoint(node(pod)),
            path("containerLogs", request, "/" + container),
            options.toKubelet()),
        request.name());
  }

  private ObjectNode pod(ApiRequest request) {
    return registry.get(pods, request.namespace(), request.name()).json();
  }

  private static String node(ObjectNode pod) {
    return Json.text(pod, "spec", "nodeName");
  }

  /** The kubelet of a pod; the real server, too, calls a node that is missing a pod. */
  private NodeEndpoint endpoint(String node) {
    return NodeEndpoint.of(
        registry
            .find(nodes, "", node)
            .orElseThrow(() -> ApiException.notFound(pods.type(), node))
            .json());
  }

  /** Names of objects and containers need no escapes in a URL. */
  private static String path(String what, ApiRequest request, String container) {
    return "/%s/%s/%s%s".formatted(what, request.namespace(), request.name(), container);
  }

  private Future<Void> stream(Exchange exchange, Query query) {
    ApiRequest request = exchange.request();
    boolean ports = request.subresource().equals("portforward");
    Query asked =
        ports
            ? StreamOptions.portForward(query)
            : request.subresource().equals("exec")
                ? StreamOptions.exec(query)
                : StreamOptions.attach(query);
    ObjectNode pod = pod(request);
    String container = ports ? "" : "/" + PodContainers.choose(pod, query.text("container"));
    if (node(pod).isEmpty()) {
      throw ApiException.badRequest(
          "pod %s does not have a host assigned".formatted(request.name()));
    }
    String path = path(ports ? "portForward" : request.subresource(), request, container);
    Location to = Location.ofKubelet(endpoint(node(pod)), path, asked);
    if (!Tunnels.isUpgrade(exchange.http())) {
      throw ApiException.badRequest("Upgrade request required");
    }
    return kubelets.tunnels().open(exchange.http(), request.body(), to);
  }

  private Future<Void> nodeProxy(Exchange exchange, RequestInfo info) {
    ProxyName name = ProxyName.parse("node", info.name());
    NodeEndpoint endpoint = NodeEndpoint.of(registry.get(nodes, "", name.name()).json());
    int port = name.port().orElse(endpoint.port());
    boolean kubelet = port == endpoint.port();
    return proxy(
        exchange,
        new Location(kubelet || name.tls(), kubelet, endpoint.host(), port, uri(exchange, info)),
        info);
  }

  private Future<Void> podProxy(Exchange exchange, RequestInfo info) {
    ProxyName name = ProxyName.parse("pod", info.name());
    ObjectNode pod = registry.get(pods, info.namespace(), name.name()).json();
    String address = Json.text(pod, "status", "podIP");
    if (address.isEmpty()) {
      throw ApiException.badRequest("address not allowed");
    }
    int usual = name.tls() ? 443 : 80;
    int port = name.port().orElseGet(() -> firstPort(pod, usual));
    return proxy(
        exchange, new Location(name.tls(), false, address, port, uri(exchange, info)), info);
  }

  private static int firstPort(ObjectNode pod, int usual) {
    for (var container : Json.at(pod, "spec", "containers")) {
      int port = container.path("ports").path(0).path("containerPort").asInt();
      if (port > 0) {
        return port;
      }
    }
    return usual;
  }

  private static String uri(Exchange exchange, RequestInfo info) {
    String query = exchange.http().query();
    return query == null ? info.rest() : info.rest() + "?" + query;
  }

  private Future<Void> proxy(Exchange exchange, Location to, RequestInfo info) {
    HttpServerRequest http = exchange.http();
    return vertx
        .executeBlocking(
            () -> {
              ProxyAddress.check(to.host());
              return true;
            },
            false)
        .compose(
            allowed -> {
              if (Tunnels.isUpgrade(http)) {
                return kubelets.tunnels().open(http, exchange.request().body(), to);
              } else if (info.rest().isEmpty() && READ.contains(http.method().name())) {
                return toRoot(exchange);
              }
              String path = http.path();
              return kubelets.proxy(
                  http,
                  exchange.request().body(),
                  to,
                  path.substring(0, path.length() - info.rest().length()));
            });
  }

  /** Relative links of the page need the slash. */
  private static Future<Void> toRoot(Exchange exchange) {
    String query = exchange.http().query();
    return exchange
        .response()
        .setStatusCode(301)
        .putHeader("location", exchange.http().path() + "/" + (query == null ? "" : "?" + query))
        .end();
  }
}
