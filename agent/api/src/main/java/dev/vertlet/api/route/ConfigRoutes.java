package dev.vertlet.api.route;

import io.vertx.core.Future;

/** Serves {@code /configz}: a node's effective configuration as a KubeletConfiguration. */
final class ConfigRoutes {
  private final RouteTable.Nodes nodes;

  ConfigRoutes(RouteTable.Nodes nodes) {
    this.nodes = nodes;
  }

  Future<Void> handle(ApiCall call) {
    if (!nodes.served(call.node())) {
      return Future.failedFuture(HttpFailure.notServed(call.node()));
    }
    int port = call.request().localAddress().port();
    return call.json(nodes.configuration(call.node(), port).toBuffer());
  }
}
