package dev.vertlet.dynamicconfig;

import dev.vertlet.api.route.NodeServer;
import dev.vertlet.nodes.KubeletEndpoint;
import io.vertx.core.Future;
import java.util.Map;

/** Where the kubelet API of each node is served. */
public interface KubeletEndpoints {
  /** Serves nothing. */
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
   * Changes how a node's kubelet API is served.
   *
   * @return completes on the caller's context with whether anything changed; fails with a line for
   *     the user, without any change, when that is not possible
   */
  Future<Boolean> configure(String node, NodeServer how);

  /** Returns the current address of each node's kubelet API. */
  Map<String, KubeletEndpoint> reached();
}
