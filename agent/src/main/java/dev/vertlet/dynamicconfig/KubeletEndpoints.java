package dev.vertlet.dynamicconfig;

import dev.vertlet.kubelet.NodeServer;
import dev.vertlet.nodes.KubeletEndpoint;
import io.vertx.core.Future;
import java.util.Map;

/** Where the kubelet API of each node is served. */
public interface KubeletEndpoints {
  /** Nothing is served. */
  KubeletEndpoints NONE =
      new KubeletEndpoints() {
        @Override
        public Future<Boolean> configure(String node, NodeServer how) {
          return Future.succeededFuture(false);
        }

        @Override
        public Map<String, KubeletEndpoint> reached() {
          return Map.of();
        }
      };

  /**
   * Serves a node's kubelet API in another way.
   *
   * @return completes on the caller's context: whether anything is different now; fails with a
   *     line, with everything as it was, when that cannot be done
   */
  Future<Boolean> configure(String node, NodeServer how);

  /** Where each node's kubelet API is reached by now. */
  Map<String, KubeletEndpoint> reached();
}
