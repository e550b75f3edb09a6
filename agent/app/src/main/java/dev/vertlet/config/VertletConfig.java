package dev.vertlet.config;

import dev.vertlet.config.node.AdoptConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.lease.LeaseOptions;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.replicas.ReplicaOptions;
import java.util.List;

/**
 * The checked and complete configuration of one agent.
 *
 * @param nodes nodes that the agent creates, in the order of their templates; names are unique
 * @param adopt templates that adopt nodes; the first template that selects a node gets it
 */
public record VertletConfig(
    AgentConfig agent,
    ConfigSyncConfig configSync,
    KubernetesConfig kubernetes,
    List<ConfiguredNode> nodes,
    LeaseOptions lease,
    ReplicaOptions replicas,
    NodeStatusConfig nodeStatus,
    PodsConfig pods,
    DnsConfig dns,
    ProvidersConfig providers,
    SimulatedConfig simulated,
    StagesConfig stages,
    FeatureGates featureGates,
    ServerConfig server,
    TracingConfig tracing,
    LogConfig log,
    List<AdoptConfig> adopt) {
  public VertletConfig {
    nodes = List.copyOf(nodes);
    adopt = List.copyOf(adopt);
  }

  /** Returns the node specifications without provider and limits. */
  public List<NodeSpec> nodeSpecs() {
    return nodes.stream().map(ConfiguredNode::spec).toList();
  }
}
