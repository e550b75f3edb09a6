package dev.vertlet.agent;

import dev.vertlet.kubelet.KubeletServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/**
 * The kubelets of adopted nodes as their server serves them.
 *
 * @param asking the loop of whoever calls this
 */
record AdoptedKubelets(KubeletServer server, Loop asking) implements AdoptedNodes.Kubelets {
  @Override
  public Future<?> serve(String node) {
    Future<?> served = server.adopt(node);
    if (served.isComplete()) {
      return served;
    }
    Promise<Object> told = Promise.promise();
    served.onComplete(done -> asking.execute(() -> told.complete(done.result(), done.cause())));
    return told.future();
  }

  @Override
  public void leave(String node) {
    server.leave(node);
  }
}
