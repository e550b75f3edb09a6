package dev.vertlet.agent;

import dev.vertlet.dynamicconfig.KubeletEndpoints;
import dev.vertlet.eventloop.EventLoop;
import dev.vertlet.kubelet.KubeletServer;
import dev.vertlet.kubelet.NodeServer;
import dev.vertlet.nodes.KubeletEndpoint;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;

/**
 * The kubelet API of the agent's nodes, as its server serves it.
 *
 * @param caller the loop on which results arrive
 */
record ServedKubelets(KubeletServer server, EventLoop caller)
    implements KubeletEndpoints, AdoptedNodes.Endpoints {
  @Override
  public Future<Boolean> configure(String node, NodeServer how) {
    // not before the server's first addresses are known
    return onCaller(server.endpoints().compose(v -> server.configure(node, how)));
  }

  @Override
  public Map<String, KubeletEndpoint> reached() {
    Future<Map<String, KubeletEndpoint>> known = server.endpoints();
    return known.succeeded() ? known.result() : Map.of();
  }

  @Override
  public Future<?> serve(String node) {
    Future<?> served = server.adopt(node);
    return served.isComplete() ? served : onCaller(served);
  }

  @Override
  public void leave(String node) {
    server.leave(node);
  }

  private <T> Future<T> onCaller(Future<T> result) {
    Promise<T> handed = Promise.promise();
    result.onComplete(done -> caller.execute(() -> handed.handle(done)));
    return handed.future();
  }
}
