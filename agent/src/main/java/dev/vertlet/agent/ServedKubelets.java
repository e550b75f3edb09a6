package dev.vertlet.agent;

import dev.vertlet.kubelet.KubeletServer;
import dev.vertlet.kubelet.NodeServer;
import dev.vertlet.nodes.KubeletEndpoint;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;

/**
 * The kubelets as their server serves them.
 *
 * @param asking the loop of whoever calls this
 */
record ServedKubelets(KubeletServer server, Loop asking) implements PayloadTarget.Kubelets {
  @Override
  public Future<Boolean> configure(String node, NodeServer how) {
    Promise<Boolean> told = Promise.promise();
    // not before it is known where it listens at first
    server
        .endpoints()
        .compose(v -> server.configure(node, how))
        .onComplete(done -> asking.execute(() -> told.handle(done)));
    return told.future();
  }

  @Override
  public Map<String, KubeletEndpoint> reached() {
    Future<Map<String, KubeletEndpoint>> known = server.endpoints();
    return known.succeeded() ? known.result() : Map.of();
  }
}
