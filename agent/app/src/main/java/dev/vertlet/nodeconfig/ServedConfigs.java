package dev.vertlet.nodeconfig;

import dev.vertlet.api.route.RouteTable;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.payload.ConfigDocument;
import dev.vertlet.payload.NodeConfig;
import dev.vertlet.provider.node.NodeSpec;
import io.vertx.core.json.JsonObject;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What the nodes' HTTPS API shows of the nodes it serves. Thread-safe if its functions are.
 *
 * @param nodes whether a node is served now
 * @param configs what each of them runs by now
 */
public record ServedConfigs(Predicate<String> nodes, Function<String, NodeConfig> configs)
    implements RouteTable.Nodes {
  @Override
  public boolean served(String node) {
    return nodes.test(node);
  }

  @Override
  public NodeSpec spec(String node) {
    return configs.apply(node).node().spec();
  }

  @Override
  public boolean makesCheckpoints(String node) {
    return configs.apply(node).config().featureGates().enabled(FeatureGates.CONTAINER_CHECKPOINT);
  }

  @Override
  public JsonObject configuration(String node, int port) {
    return ConfigDocument.of(configs.apply(node), port);
  }
}
