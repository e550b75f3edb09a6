package dev.vertlet.lifecycle;

import dev.vertlet.admission.Admission;
import dev.vertlet.admission.NodeFacts;
import dev.vertlet.admission.NodeLedger;
import dev.vertlet.admission.Rejection;
import dev.vertlet.model.NodeView;
import dev.vertlet.provider.ProviderContext;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Admits pods to the nodes of one core, each once, when it is first seen. What was accepted before
 * a restart of the agent is never refused. Runs on the core's loop.
 */
final class NodeAdmission {
  private final ProviderContext context;
  private final CoreLoop loop;
  private final Map<String, Node> nodes = new HashMap<>();

  /** One node; facts are null until its object was seen. */
  private static final class Node {
    private final NodeLedger ledger = new NodeLedger();
    private @Nullable NodeView view;
    private @Nullable NodeFacts facts;

    /** Most changes of a node's object are heartbeats: it is read when somebody asks. */
    @Nullable NodeFacts facts() {
      NodeView newest = view;
      if (facts == null && newest != null) {
        facts = NodeFacts.of(newest);
      }
      return facts;
    }

    /** A watch may be behind what the answer to a write has told already. */
    void saw(NodeView seen) {
      NodeView known = view;
      boolean older =
          known != null
              && known.uid().equals(seen.uid())
              && known.resourceVersion() > seen.resourceVersion();
      if (!older) {
        view = seen;
        facts = null;
      }
    }
  }

  NodeAdmission(ProviderContext context, CoreLoop loop) {
    this.context = context;
    this.loop = loop;
  }

  /** The node's object as the API server holds it now. */
  void observed(NodeView view) {
    node(view.name()).saw(view);
  }

  private Node node(String name) {
    return nodes.computeIfAbsent(name, unknown -> new Node());
  }

  /** The pod takes its part of the node from now on, whatever is left of it. */
  void charge(PodState pod) {
    pod.charge(node(pod.node()).ledger);
  }

  /**
   * Decides about a pod that is new here; one that may run takes its part of the node.
   *
   * @return empty for one that may run; fails when nothing is known of the node and it cannot be
   *     read
   */
  Future<Optional<Rejection>> admit(PodState pod) {
    Node node = node(pod.node());
    NodeFacts facts = node.facts();
    if (facts == null) {
      return reread(pod, node).map(seen -> decide(pod, node, seen));
    }
    Rejection rejection = Admission.check(facts, node.ledger, pod.pod);
    if (rejection == null) {
      charge(pod);
      return ADMITTED;
    }
    if (!rejection.onlyLabels()) {
      return Future.succeededFuture(Optional.of(rejection));
    }
    return reread(pod, node)
        .map(seen -> decide(pod, node, seen))
        .otherwise(failure -> Optional.of(rejection));
  }

  private static final Future<Optional<Rejection>> ADMITTED =
      Future.succeededFuture(Optional.empty());

  private Optional<Rejection> decide(PodState pod, Node node, NodeFacts facts) {
    Rejection rejection = Admission.check(facts, node.ledger, pod.pod);
    if (rejection == null) {
      charge(pod);
    }
    return Optional.ofNullable(rejection);
  }

  private Future<NodeFacts> reread(PodState pod, Node node) {
    return PodIntake.onLoop(loop, context.node(pod.node()))
        .map(
            view -> {
              node.saw(view);
              NodeFacts facts = node.facts();
              return facts == null ? NodeFacts.of(view) : facts;
            });
  }
}
