package dev.vertlet.simulated;

import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.simulated.rule.NodeRule;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes nodes lost or not ready by rules; otherwise delegates to another provider. Confined to the
 * context of the shard that owns the nodes.
 */
public final class TroubledNodes implements NodeProvider {
  private static final Logger LOG = LoggerFactory.getLogger(TroubledNodes.class);

  private final Clock clock;
  private final long seed;
  private final List<NodeRule> rules;
  private final NodeProvider nodes;
  private final Map<String, List<NodeTrouble>> troubles = new HashMap<>();
  private final List<Consumer<String>> listeners = new ArrayList<>();
  private final DeadlineQueue queue;

  /**
   * Starts with healthy nodes.
   *
   * @param timers timers that fire on the shard's context
   * @param specs the shard's nodes
   * @param nodes provider for nodes without trouble
   */
  TroubledNodes(
      Clock clock,
      Timers timers,
      long seed,
      List<NodeRule> rules,
      Collection<NodeSpec> specs,
      NodeProvider nodes) {
    this.clock = clock;
    this.seed = seed;
    this.rules = List.copyOf(rules);
    this.nodes = nodes;
    this.queue = new DeadlineQueue(clock, timers, (due, now) -> change((NodeTrouble) due));
    specs.forEach(this::begin);
  }

  private void begin(NodeSpec spec) {
    List<NodeTrouble> own = new ArrayList<>(0);
    for (NodeRule rule : rules) {
      if (rule.takes(spec.name(), spec.labels(), seed)) {
        NodeTrouble trouble = new NodeTrouble(rule, spec.name(), seed, clock.millis());
        own.add(trouble);
        queue.schedule(trouble);
      }
    }
    troubles.put(spec.name(), own);
  }

  /** Starts with timers that fire on the calling context. */
  public static TroubledNodes create(
      Vertx vertx,
      Clock clock,
      long seed,
      List<NodeRule> rules,
      Collection<NodeSpec> specs,
      NodeProvider nodes) {
    return new TroubledNodes(clock, new VertxTimers(vertx), seed, rules, specs, nodes);
  }

  private void change(NodeTrouble trouble) {
    trouble.change();
    queue.schedule(trouble);
    LOG.atInfo()
        .addKeyValue("node", trouble.node)
        .addKeyValue("rule", trouble.rule.name())
        .addKeyValue("trouble", trouble.rule.trouble())
        .log(trouble.ongoing() ? "simulated trouble begins" : "simulated trouble is over");
    if (trouble.rule.trouble() == NodeRule.Trouble.NOT_READY) {
      listeners.forEach(listener -> listener.accept(trouble.node));
    }
  }

  /** Returns the rule behind the node's current trouble of this kind; empty for none. */
  private String rule(String node, NodeRule.Trouble kind) {
    for (NodeTrouble trouble : troubles.getOrDefault(node, List.of())) {
      if (trouble.rule.trouble() == kind && trouble.ongoing()) {
        return trouble.rule.name();
      }
    }
    return "";
  }

  @Override
  public Future<Void> ping(String node) {
    String rule = rule(node, NodeRule.Trouble.LOST);
    return rule.isEmpty()
        ? nodes.ping(node)
        : Future.failedFuture("the node is lost by rule \"" + rule + "\"");
  }

  @Override
  public NodeHealth health(String node) {
    NodeHealth health = Objects.requireNonNull(nodes.health(node));
    String rule = rule(node, NodeRule.Trouble.NOT_READY);
    return rule.isEmpty()
        ? health
        : new NodeHealth(
            false, "the node is not ready by rule \"" + rule + "\"", health.conditions());
  }

  @Override
  public void onChange(Consumer<String> listener) {
    listeners.add(listener);
    nodes.onChange(listener);
  }

  @Override
  public void forget(String node) {
    List<NodeTrouble> own = troubles.remove(node);
    if (own != null) {
      own.forEach(queue::remove);
    }
    nodes.forget(node);
  }

  @Override
  public void observed(NodeView node) {
    nodes.observed(node);
  }

  @Override
  public NodeSpec configure(NodeSpec spec) {
    if (!troubles.containsKey(spec.name())) {
      begin(spec); // the node was adopted
    }
    return nodes.configure(spec);
  }
}
