package dev.vertlet.config;

import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.provider.NodeSpec;
import java.util.List;

/**
 * Everything one agent runs by, checked and complete.
 *
 * @param nodes that the agent makes, in the order of their templates; names are unique
 * @param adopt whose nodes it takes over; a node that several of them select is the first one's
 */
public record VertletConfig(
    AgentConfig agent,
    ConfigSyncConfig configSync,
    KubernetesConfig kubernetes,
    List<ConfiguredNode> nodes,
    LeaseConfig lease,
    ReplicasConfig replicas,
    NodeStatusConfig nodeStatus,
    PodsConfig pods,
    DnsConfig dns,
    ProvidersConfig providers,
    SimulatedConfig simulated,
    FeatureGates featureGates,
    ServerConfig server,
    TracingConfig tracing,
    LogConfig log,
    List<AdoptConfig> adopt) {
  public VertletConfig {
    nodes = List.copyOf(nodes);
    adopt = List.copyOf(adopt);
  }

  /** The nodes alone, without what backs them. */
  public List<NodeSpec> nodeSpecs() {
    return nodes.stream().map(ConfiguredNode::spec).toList();
  }
}
