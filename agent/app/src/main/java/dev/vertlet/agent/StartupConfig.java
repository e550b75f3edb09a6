package dev.vertlet.agent;

import dev.vertlet.backend.ShardProviders;
import dev.vertlet.bus.Shards;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.dynamicconfig.DynamicConfig;
import dev.vertlet.nodeconfig.FeatureOptions;
import java.util.List;

/**
 * Configuration with which an agent starts. Only {@code dynamic} changes later.
 *
 * @param process configuration of the process
 * @param nodes nodes with a usable configuration, without adopted ones
 * @param shards division of the nodes among event loops
 */
record StartupConfig(
    DynamicConfig dynamic, VertletConfig process, List<ConfiguredNode> nodes, Shards shards) {
  static StartupConfig of(DynamicConfig dynamic) {
    VertletConfig process = dynamic.process();
    List<ConfiguredNode> nodes = dynamic.nodes();
    return new StartupConfig(
        dynamic,
        process,
        nodes,
        ShardProviders.shards(process.agent().shards(), nodes, process.adopt()));
  }

  FeatureOptions options() {
    return new FeatureOptions(process);
  }

  /** Names of the nodes. */
  List<String> names() {
    return nodes.stream().map(node -> node.spec().name()).toList();
  }

  /** Whether nodes are adopted. */
  boolean adopts() {
    return !process.adopt().isEmpty();
  }
}
