package dev.vertlet.simulated;

import dev.vertlet.model.NodeView;
import dev.vertlet.provider.NodeProvider;
import dev.vertlet.provider.NodeSpec;
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
 * Nodes that get lost and fall ill by rules, in front of what is really said of them. Confined to
 * the context of the shard that the nodes belong to.
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
   * Begins now: all nodes are well.
   *
   * @param timers fire on the shard's context
   * @param specs the shard's nodes
   * @param nodes what is said of nodes without trouble
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

  /** Begins now, with timers that fire on the context this is called on. */
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

  /** The rule that has the node in this trouble now; empty for none. */
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
      begin(spec); // one that was adopted
    }
    return nodes.configure(spec);
  }
}
