package dev.vertlet.agent;

import static dev.vertlet.bus.Addresses.NODE_CONFIGURED;

import dev.vertlet.adopt.AdoptTarget;
import dev.vertlet.bus.NodeConfigured;
import dev.vertlet.bus.Shards;
import dev.vertlet.config.node.AdoptConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.config.node.PodRanges;
import dev.vertlet.dynamicconfig.RequestLimits;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.nodeconfig.ActiveConfigs;
import dev.vertlet.provider.node.NodeSpec;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the active configuration of adopted nodes, and serves their kubelet API. */
final class AdoptedNodes implements AdoptTarget {
  private static final Logger LOG = LoggerFactory.getLogger(AdoptedNodes.class);

  /** How long a released node's configuration stays: calls for its pods have ended by then. */
  private static final long FORGET_MILLIS = 30_000;

  private final AgentResources agent;
  private final List<AdoptConfig> configs;
  private final ActiveConfigs book;
  private final Shards shards;
  private final RequestLimits limits;
  private final KubeletApi api;

  /** Pod ranges by CIDR block. */
  private final Map<String, PodRanges> ranges = new HashMap<>();

  /** Nodes without a range for their pods that were logged. */
  private final Set<String> rangeless = new HashSet<>();

  AdoptedNodes(AgentResources agent, StartupConfig config, RequestLimits limits, KubeletApi api) {
    this.agent = agent;
    this.configs = config.dynamic().adopt();
    this.book = config.dynamic().book();
    this.shards = config.shards();
    this.limits = limits;
    this.api = api;
    for (AdoptConfig adopt : configs) {
      ranges.merge(
          adopt.podCidr(), new PodRanges(adopt.podCidr(), adopt.podCidrMask()), PodRanges::wider);
    }
  }

  @Override
  public boolean selfManaged(int selector) {
    return configs.get(selector).selfManaged();
  }

  @Override
  public void adopted(int selector, NodeView object) {
    ConfiguredNode node = node(selector, object);
    put(node);
    limits.limit(object.name(), node.api().perSecond(), node.api().burst());
    if (isHere(selector, node.spec())) {
      Future<?> served = api.serve(object.name());
      if (!served.isComplete()) {
        served.onSuccess(v -> tell(object.name()));
      }
    }
  }

  @Override
  public boolean changed(int selector, NodeView object) {
    ConfiguredNode node = node(selector, object);
    if (node.equals(book.config(object.name()).node())) {
      return false;
    }
    put(node);
    return true;
  }

  @Override
  public void released(String node) {
    ranges.values().forEach(range -> range.free(node));
    rangeless.remove(node);
    limits.limit(node, 0, 0);
    api.leave(node);
    ActiveConfigs.Entry entry = book.get(node);
    agent.vertx().setTimer(FORGET_MILLIS, id -> book.remove(node, entry));
  }

  private void put(ConfiguredNode node) {
    book.put(node.spec().name(), book.local(node));
  }

  /** Whether the node's addresses lead to this agent, as far as it knows. */
  private boolean isHere(int selector, NodeSpec node) {
    return configs.get(selector).addresses().stream()
        .map(NodeAddressView::address)
        .anyMatch(own -> node.addresses().stream().anyMatch(one -> one.address().equals(own)));
  }

  private void tell(String node) {
    if (book.has(node)) {
      agent.bus().publish(NODE_CONFIGURED.shard(shards.of(node)), new NodeConfigured(node));
    }
  }

  private ConfiguredNode node(int selector, NodeView object) {
    AdoptConfig config = configs.get(selector);
    return config.node(object, slice(config, object));
  }

  private String slice(AdoptConfig config, NodeView object) {
    PodRanges own = ranges.get(config.podCidr());
    if (own == null || !object.podCidr().isEmpty()) {
      ranges.values().forEach(range -> range.free(object.name()));
      return "";
    }
    String slice = own.take(object.name());
    if (slice.isEmpty() && rangeless.add(object.name())) {
      LOG.atWarn()
          .addKeyValue("node", object.name())
          .addKeyValue("podCIDR", config.podCidr())
          .log("no range is left for the addresses of the node's pods, which will not start");
    }
    return slice;
  }
}
