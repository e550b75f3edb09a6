package dev.vertlet.nodes;

import dev.vertlet.bus.NodePinged;
import dev.vertlet.provider.failure.ProviderCall;
import dev.vertlet.provider.node.NodeProvider;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pings the nodes of one shard, each after its interval. Confined to its context. */
final class NodePings {
  private static final Logger LOG = LoggerFactory.getLogger(NodePings.class);

  private final NodeProvider provider;
  private final Vertx vertx;
  private final Context context;
  private final Consumer<NodePinged> results;
  private final Map<String, Target> targets = new LinkedHashMap<>();

  /** Intervals with a timer: all nodes with the same interval share it. */
  private final Set<Duration> rounds = new HashSet<>();

  private boolean stopped;

  /** State of one node's pings. */
  private static final class Target {
    final String node;
    NodeOptions options;
    boolean pinging;
    @Nullable Boolean ok;

    Target(String node, NodeOptions options) {
      this.node = node;
      this.options = options;
    }
  }

  /**
   * Creates pings of no node.
   *
   * @param results receives each result: silence tells the lease that not even a timeout was
   *     reported
   */
  NodePings(NodeProvider provider, Vertx vertx, Context context, Consumer<NodePinged> results) {
    this.provider = provider;
    this.vertx = vertx;
    this.context = context;
    this.results = results;
  }

  /** Pings a node now, and again after each interval. */
  void add(String node, NodeOptions options) {
    Target target = targets.computeIfAbsent(node, name -> new Target(name, options));
    ping(target);
    startRound(options.pingInterval());
  }

  /** Changes the interval and the timeout of a node's pings. */
  void configure(String node, NodeOptions options) {
    Target target = targets.get(node);
    if (target != null) {
      target.options = options;
      startRound(options.pingInterval());
    }
  }

  /** Pings a node no more; a ping in flight has no result. */
  void remove(String node) {
    targets.remove(node);
  }

  /** Pings no node any more. */
  void stop() {
    stopped = true;
  }

  private void startRound(Duration interval) {
    if (!stopped && rounds.add(interval)) {
      vertx.setTimer(interval.toMillis(), id -> pingRound(interval));
    }
  }

  /** Pings the nodes with this interval, as long as there are any. */
  private void pingRound(Duration interval) {
    rounds.remove(interval);
    if (stopped) {
      return;
    }
    for (Target target : List.copyOf(targets.values())) {
      if (target.options.pingInterval().equals(interval)) {
        ping(target);
        startRound(interval);
      }
    }
  }

  /**
   * Pings a node; at most one ping per node is in flight, and a hanging one counts as failed until
   * it ends.
   */
  private void ping(Target target) {
    if (target.pinging) {
      return;
    }
    target.pinging = true;
    // the call may outlive its timeout; until it ends the node is not pinged again
    Future<Void> ping = ProviderCall.ask(() -> provider.ping(target.node));
    ping.onComplete(ended -> context.runOnContext(v -> target.pinging = false));
    ProviderCall.in(context, target.options.pingTimeout(), () -> ping)
        .onSuccess(v -> pinged(target, true, ""))
        .onFailure(failure -> pinged(target, false, GuardedNodes.text(failure)));
  }

  private void pinged(Target target, boolean ok, String problem) {
    if (targets.get(target.node) != target) {
      return;
    }
    results.accept(new NodePinged(target.node, ok, problem));
    Boolean before = target.ok;
    target.ok = ok;
    if (!ok && !Boolean.FALSE.equals(before)) {
      LOG.atWarn()
          .addKeyValue("node", target.node)
          .addKeyValue("error", problem)
          .log("provider does not answer pings; the node's lease is not renewed");
    } else if (ok && Boolean.FALSE.equals(before)) {
      LOG.atInfo().addKeyValue("node", target.node).log("provider answers pings again");
    }
  }
}
