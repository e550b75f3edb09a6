package dev.vertlet.agent;

import dev.vertlet.config.node.AdoptConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.nodeconfig.ActiveConfigs;
import dev.vertlet.nodes.KubeletEndpoint;
import dev.vertlet.nodes.NodeOptions;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.stages.cluster.StageNodes;
import dev.vertlet.stages.cluster.StagesFactory;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The agent's nodes with the provider {@code stages}. */
final class ServedStageNodes implements StageNodes {
  private final ActiveConfigs book;
  private final List<ConfiguredNode> created;
  private final List<AdoptConfig> adopted;
  private final String agentLabel;
  private final Future<Map<String, KubeletEndpoint>> endpoints;

  ServedStageNodes(StartupConfig config, Future<Map<String, KubeletEndpoint>> endpoints) {
    this.book = config.dynamic().book();
    this.created = config.nodes().stream().filter(node -> isStaged(node.provider())).toList();
    this.adopted =
        config.process().adopt().stream().filter(adopt -> isStaged(adopt.provider())).toList();
    this.agentLabel = NodeOptions.AGENT_LABEL + "=" + config.options().node().label();
    this.endpoints = endpoints;
  }

  private static boolean isStaged(String provider) {
    return provider.equals(StagesFactory.NAME);
  }

  @Override
  public boolean any() {
    return !created.isEmpty() || !adopted.isEmpty();
  }

  @Override
  public Optional<NodeSpec> spec(String node) {
    if (!book.has(node)) {
      return Optional.empty();
    }
    ConfiguredNode found = book.config(node).node();
    return isStaged(found.provider()) ? Optional.of(found.spec()) : Optional.empty();
  }

  @Override
  public int kubeletPort(String node) {
    return endpoints.succeeded()
        ? endpoints.result().getOrDefault(node, KubeletEndpoint.NONE).port()
        : 0;
  }

  @Override
  public String labelSelector() {
    if (adopted.isEmpty()) {
      return agentLabel;
    }
    return created.isEmpty() && adopted.size() == 1 ? adopted.get(0).labelSelector() : "";
  }

  @Override
  public String onlyOne() {
    return adopted.isEmpty() && created.size() == 1 ? created.get(0).spec().name() : "";
  }
}
