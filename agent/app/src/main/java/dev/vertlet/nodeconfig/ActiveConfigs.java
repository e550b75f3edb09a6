package dev.vertlet.nodeconfig;

import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.env.DnsSettings;
import dev.vertlet.payload.NodeConfig;
import dev.vertlet.payload.NodeConfigs;
import dev.vertlet.payload.Payload;
import dev.vertlet.provider.node.NodeSpec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The current configuration of each node. Has one writer, before and while the nodes are served;
 * readers on any thread read it again after a change message, or whenever they need it.
 */
public final class ActiveConfigs {
  private final NodeConfigs configs;
  private final DnsSettings localDns;
  private final Map<String, Entry> nodes = new ConcurrentHashMap<>();

  private ActiveConfigs(NodeConfigs configs, DnsSettings localDns) {
    this.configs = configs;
    this.localDns = localDns;
  }

  /**
   * A config, with the content of its files at the time it was read.
   *
   * @param port JSON pointer of the key that sets the port of the node's kubelet
   */
  public record Entry(NodeConfig config, DnsSettings dns, String port) {
    /** Returns this without the config's port, which another node has. */
    public Entry elsewhere() {
      return new Entry(config.withoutPort(port), dns, port);
    }
  }

  /** Makes the configurations of all nodes from the local configuration. */
  public static ActiveConfigs local(LoadedConfig loaded, DnsSettings dns) {
    ActiveConfigs book = new ActiveConfigs(new NodeConfigs(loaded), dns);
    for (NodeSpec node : loaded.config().nodeSpecs()) {
      book.put(node.name(), book.local(node.name()));
    }
    return book;
  }

  /** Returns the configuration of a node without a config from the cluster. */
  public Entry local(String node) {
    return new Entry(configs.local(node), localDns, "");
  }

  /** Returns the same for an adopted node, which the local configuration does not name. */
  public Entry local(ConfiguredNode adopted) {
    return new Entry(configs.local(adopted), localDns, "");
  }

  /** Reads a payload for the nodes that share it. */
  public NodeConfigs.Plan plan(Payload payload) {
    return configs.plan(payload);
  }

  public void put(String node, Entry entry) {
    nodes.put(node, entry);
  }

  /**
   * @throws IllegalArgumentException when the agent does not have the node
   */
  public Entry get(String node) {
    Entry entry = nodes.get(node);
    if (entry == null) {
      throw new IllegalArgumentException("node " + node + " is not served here");
    }
    return entry;
  }

  /** Forgets a node, unless its entry has been replaced. */
  public void remove(String node, Entry entry) {
    nodes.remove(node, entry);
  }

  /** Whether the config of a node other than {@code butFor} has this port. */
  public boolean names(int port, String butFor) {
    return nodes.entrySet().stream()
        .anyMatch(e -> !e.getKey().equals(butFor) && e.getValue().config().port() == port);
  }

  public boolean has(String node) {
    return nodes.containsKey(node);
  }

  public NodeConfig config(String node) {
    return get(node).config();
  }
}
