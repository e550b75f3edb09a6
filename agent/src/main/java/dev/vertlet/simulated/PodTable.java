package dev.vertlet.simulated;

import dev.vertlet.model.KeyedTable;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.RuntimePod;
import dev.vertlet.provider.SandboxRecord;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The pods of one shard, by UID and by node, with their addresses. Of those that rest the state is
 * kept that they rest by, and made pods again of when they are asked for.
 */
final class PodTable {
  private final Function<String, String> podCidr;
  private Function<String, String> sharedRange = node -> "";
  private final Map<String, SimulatedNode> nodes = new HashMap<>();
  private final KeyedTable<String, SimulatedPod> pods = new KeyedTable<>(pod -> pod.ref.uid());
  private final KeyedTable<String, PodView> resting = new KeyedTable<>(PodView::uid);

  PodTable(Function<String, String> podCidr) {
    this.podCidr = podCidr;
  }

  /** Of a node by its name; before any node is made. */
  void sharedRange(Function<String, String> range) {
    sharedRange = range;
  }

  /** The pod, which rests no longer if it did; null when there is none. */
  @Nullable SimulatedPod find(PodRef ref) {
    SimulatedPod pod = pods.get(ref.uid());
    PodView view = pod == null ? resting.remove(ref.uid()) : null;
    return view == null ? pod : wake(view);
  }

  private SimulatedPod wake(PodView view) {
    SimulatedNode node = node(view.nodeName());
    SimulatedPod pod = Rest.wake(view, node);
    pods.put(pod);
    node.wake(pod);
    return pod;
  }

  /** The pod, unless it rests. */
  @Nullable SimulatedPod awake(PodRef ref) {
    return pods.get(ref.uid());
  }

  boolean rests(PodRef ref) {
    return resting.contains(ref.uid());
  }

  /** Of the pod nothing is kept but this state. */
  void rest(PodView view) {
    pods.remove(view.uid());
    resting.put(view);
    node(view.nodeName()).rest(view);
  }

  int count() {
    return pods.size() + resting.size();
  }

  boolean holds(SimulatedPod pod) {
    return pods.get(pod.ref.uid()) == pod;
  }

  /** The node's entry, made on first use and kept until {@link #release}. */
  SimulatedNode node(String name) {
    return nodes.computeIfAbsent(name, unknown -> new SimulatedNode(unknown, podCidr, sharedRange));
  }

  /** The node's entry, null for one that nothing is known of. */
  @Nullable SimulatedNode known(String name) {
    return nodes.get(name);
  }

  /** What is known of the node's images, or null when nothing is. */
  @Nullable ImageStore images(String node) {
    SimulatedNode known = nodes.get(node);
    return known == null ? null : known.images();
  }

  /** The pods of a node on which a container takes anything, in no order; else none. */
  List<SimulatedPod> consumers(String node) {
    SimulatedNode known = nodes.get(node);
    return known != null && known.consumes() ? known.pods() : List.of();
  }

  /**
   * A pod with a fresh sandbox and addresses.
   *
   * @throws ProviderException TEMPORARY when the node has no address for it
   */
  SimulatedPod create(PodView view, int attempt, Ports ports) {
    SimulatedNode node = node(view.nodeName());
    List<String> ips = view.spec().hostNetwork() ? List.of() : takeIps(node);
    SandboxRecord sandbox = new SandboxRecord(Ids.sandbox(view.uid(), attempt), attempt, ips);
    SimulatedPod pod = new SimulatedPod(view.ref(), node, sandbox, ports);
    pods.put(pod);
    node.add(pod);
    return pod;
  }

  private static List<String> takeIps(SimulatedNode node) {
    try {
      return node.takeIps()
          .orElseThrow(() -> sandboxError(node, "no free pod address: " + node.addressUsage()));
    } catch (IllegalArgumentException e) {
      throw sandboxError(node, "unusable pod CIDR: " + e.getMessage());
    }
  }

  private static ProviderException sandboxError(SimulatedNode node, String what) {
    return new ProviderException(
        ProviderException.Kind.TEMPORARY,
        "CreatePodSandboxError",
        "node " + node.name() + ": " + what);
  }

  /**
   * A pod that brings its sandbox and addresses along.
   *
   * @param since when it began to hold them, epoch milliseconds
   */
  void adopt(SimulatedPod pod, long since) {
    pods.put(pod);
    pod.node.adopt(pod, since);
  }

  /** Forgets a pod and frees its addresses. */
  void remove(SimulatedPod pod) {
    pods.remove(pod.ref.uid());
    resting.remove(pod.ref.uid());
    pod.node.remove(pod);
  }

  /** Forgets a node with all its pods, which are returned. */
  Collection<SimulatedPod> release(String node) {
    SimulatedNode known = nodes.remove(node);
    if (known == null) {
      return List.of();
    }
    List<SimulatedPod> released = known.pods();
    released.forEach(this::remove);
    return released;
  }

  /** Of all that do not rest. */
  List<RuntimePod> snapshot() {
    return pods.values().stream().map(SimulatedPod::snapshot).toList();
  }
}
