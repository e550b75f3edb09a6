package dev.vertlet.kubelet.nodehealth;

import dev.vertlet.admission.Admission;
import dev.vertlet.admission.CriticalPods;
import dev.vertlet.admission.NodeFacts;
import dev.vertlet.admission.NodeLedger;
import dev.vertlet.admission.NodePolicy;
import dev.vertlet.admission.NodeStrain;
import dev.vertlet.admission.Preemption;
import dev.vertlet.admission.Rejection;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.resize.ResizeRoom;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Admits pods to the nodes of one core, each once, when it is first seen. Never rejects a pod that
 * was admitted before a restart of the agent. Runs on the core's loop.
 */
public final class NodeAdmission implements ResizeRoom {
  private static final String UNEXPECTED =
      "Unexpected error while attempting to recover from admission failure: preemption: error"
          + " finding a set of pods to preempt: ";

  private final ProviderContext context;
  private final CoreLoop loop;
  private final Function<String, NodeStrain> strain;
  private final Function<String, NodePolicy> policy;
  private final NodeClearing clearing;
  private final Map<String, Node> nodes = new HashMap<>();
  private Consumer<String> freed = node -> {};

  /** State of one node; facts are null until its object was seen. */
  private static final class Node {
    private final NodeLedger ledger = new NodeLedger();

    Node(Runnable freed) {
      ledger.whenFreed(freed);
    }

    private @Nullable NodeView view;
    private @Nullable NodeFacts facts;

    /** Reads the newest object only when needed, because most of its changes are heartbeats. */
    @Nullable NodeFacts facts() {
      NodeView newest = view;
      if (facts == null && newest != null) {
        facts = NodeFacts.of(newest);
      }
      return facts;
    }

    /** Drops an older object: a watch may be behind the answer to a write. */
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

  /**
   * @param strain current pressures and shutdown of a node, by its name
   * @param policy of a node, by its name
   * @param clearing preempts pods for critical ones
   */
  public NodeAdmission(
      ProviderContext context,
      CoreLoop loop,
      Function<String, NodeStrain> strain,
      Function<String, NodePolicy> policy,
      NodeClearing clearing) {
    this.context = context;
    this.loop = loop;
    this.strain = strain;
    this.policy = policy;
    this.clearing = clearing;
  }

  /**
   * @param listener takes the name of each node that may have newly free resources
   */
  public void whenFreed(Consumer<String> listener) {
    freed = listener;
  }

  /** Takes the node's object from the API server. */
  public void observed(NodeView view) {
    node(view.name()).saw(view);
    freed.accept(view.name());
  }

  @Override
  public boolean knows(String name) {
    return node(name).facts() != null;
  }

  @Override
  public @Nullable Rejection grants(PodState pod, PodView desired) {
    Node node = node(pod.node());
    NodeFacts facts = node.facts();
    if (facts == null) {
      return null;
    }
    pod.setAside();
    Rejection rejection =
        Admission.resize(
            facts, policy.apply(pod.node()), strain.apply(pod.node()), node.ledger, desired);
    pod.charge(node.ledger);
    return rejection;
  }

  /** Forgets the node. */
  public void forget(String name) {
    nodes.remove(name);
  }

  private Node node(String name) {
    return nodes.computeIfAbsent(name, unknown -> new Node(() -> freed.accept(name)));
  }

  /** Charges the pod's resources to its node, even beyond what is left. */
  public void charge(PodState pod) {
    pod.charge(node(pod.node()).ledger);
  }

  /**
   * Decides on a pod that is new here, and charges the resources of an admitted one.
   *
   * @return empty for an admitted pod; fails if nothing is known of the node and it cannot be read
   */
  public Future<Optional<Rejection>> admit(PodState pod) {
    Node node = node(pod.node());
    NodeFacts facts = node.facts();
    if (facts == null) {
      return reread(pod, node).compose(seen -> settle(pod, check(pod, node, seen)));
    }
    Rejection rejection = check(pod, node, facts);
    if (rejection == null || !rejection.onlyLabels()) {
      return settle(pod, rejection);
    }
    return reread(pod, node)
        .transform(
            seen -> settle(pod, seen.succeeded() ? check(pod, node, seen.result()) : rejection));
  }

  private static final Future<Optional<Rejection>> ADMITTED =
      Future.succeededFuture(Optional.empty());

  private @Nullable Rejection check(PodState pod, Node node, NodeFacts facts) {
    String name = pod.node();
    return Admission.check(facts, policy.apply(name), strain.apply(name), node.ledger, pod.view());
  }

  private Future<Optional<Rejection>> settle(PodState pod, @Nullable Rejection rejection) {
    if (rejection == null) {
      charge(pod);
      return ADMITTED;
    }
    return rejection.lacks().isEmpty() || !CriticalPods.critical(pod.view())
        ? Future.succeededFuture(Optional.of(rejection))
        : preempt(pod, rejection);
  }

  /**
   * Charges the resources at once, so that no other pod gets them; completes when they are free.
   */
  private Future<Optional<Rejection>> preempt(PodState pod, Rejection rejection) {
    Preemption chosen = clearing.choose(pod, rejection.lacks());
    if (!chosen.problem().isEmpty()) {
      String message = UNEXPECTED + chosen.problem();
      return Future.succeededFuture(
          Optional.of(new Rejection("UnexpectedAdmissionError", message, false)));
    }
    charge(pod);
    return clearing.preempt(chosen.victims()).map(gone -> Optional.empty());
  }

  private Future<NodeFacts> reread(PodState pod, Node node) {
    return loop.bring(context.node(pod.node()))
        .map(
            view -> {
              node.saw(view);
              NodeFacts facts = node.facts();
              return facts == null ? NodeFacts.of(view) : facts;
            });
  }
}
