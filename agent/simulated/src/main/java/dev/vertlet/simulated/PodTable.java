package dev.vertlet.simulated;

import dev.vertlet.model.KeyedTable;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.simulated.node.ImageStore;
import dev.vertlet.simulated.rule.ListeningPorts;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Pods of one shard by UID and by node, with their addresses. A resting pod is stored as its
 * PodView alone and rebuilt on access.
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

  /** Sets the shared range of a node by its name; must precede the first node. */
  void sharedRange(Function<String, String> range) {
    sharedRange = range;
  }

  /** Finds a pod and wakes it if it rests; null when there is none. */
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

  /** Finds a pod that does not rest; null when there is none. */
  @Nullable SimulatedPod awake(PodRef ref) {
    return pods.get(ref.uid());
  }

  boolean rests(PodRef ref) {
    return resting.contains(ref.uid());
  }

  /** Lets the pod rest: stores only this state. */
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

  /** Returns the node's entry; created on first use and kept until {@link #release}. */
  SimulatedNode node(String name) {
    return nodes.computeIfAbsent(name, unknown -> new SimulatedNode(unknown, podCidr, sharedRange));
  }

  /** Returns the node's entry; null for an unknown node. */
  @Nullable SimulatedNode known(String name) {
    return nodes.get(name);
  }

  /** Returns the node's images; null for an unknown node. */
  @Nullable ImageStore images(String node) {
    SimulatedNode known = nodes.get(node);
    return known == null ? null : known.images();
  }

  /** Returns the node's pods, unordered, if any container uses resources; else none. */
  List<SimulatedPod> consumers(String node) {
    SimulatedNode known = nodes.get(node);
    return known != null && known.consumes() ? known.pods() : List.of();
  }

  /**
   * Creates a pod with a new sandbox and addresses.
   *
   * @throws ProviderException TEMPORARY when the node has no free address
   */
  SimulatedPod create(PodView view, int attempt, ListeningPorts ports) {
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
   * Adds a pod with its sandbox and addresses.
   *
   * @param since start of the address allocation, epoch milliseconds
   */
  void adopt(SimulatedPod pod, long since) {
    pods.put(pod);
    pod.node.adopt(pod, since);
  }

  /** Removes a pod and frees its addresses. */
  void remove(SimulatedPod pod) {
    pods.remove(pod.ref.uid());
    resting.remove(pod.ref.uid());
    pod.node.remove(pod);
  }

  Collection<SimulatedPod> release(String node) {
    SimulatedNode known = nodes.remove(node);
    if (known == null) {
      return List.of();
    }
    List<SimulatedPod> released = known.pods();
    released.forEach(this::remove);
    return released;
  }

  /** Lists all pods that do not rest. */
  List<RuntimePod> snapshot() {
    return pods.values().stream().map(SimulatedPod::snapshot).toList();
  }
}
