package dev.vertlet.simulated;

import dev.vertlet.model.KeyedTable;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.simulated.node.ImageStore;
import dev.vertlet.simulated.node.NodeAddresses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** State of one node: pods, their addresses, images. */
public final class SimulatedNode {
  private static final Logger LOG = LoggerFactory.getLogger(SimulatedNode.class);

  private final String name;
  private final Function<String, String> podCidr;
  private final Function<String, String> sharedRange;
  private final ImageStore images = new ImageStore();
  private final KeyedTable<String, SimulatedPod> pods = new KeyedTable<>(pod -> pod.ref.uid());

  /** Resting pods. */
  private final KeyedTable<String, PodView> resting = new KeyedTable<>(PodView::uid);

  private @Nullable NodeAddresses addresses;

  /**
   * CPU nanoseconds of removed pods minus those that adopted pods brought along, so that the node's
   * total only grows.
   */
  private long spent;

  /**
   * @param podCidr node name to the node's own ranges
   * @param sharedRange node name to a range that other nodes may use as well
   */
  public SimulatedNode(
      String name, Function<String, String> podCidr, Function<String, String> sharedRange) {
    this.name = name;
    this.podCidr = podCidr;
    this.sharedRange = sharedRange;
  }

  String name() {
    return name;
  }

  ImageStore images() {
    return images;
  }

  /** Returns a copy of the pods, unordered; resting pods are rebuilt. */
  List<SimulatedPod> pods() {
    List<SimulatedPod> all = new ArrayList<>(pods.size() + resting.size());
    all.addAll(pods.values());
    for (PodView view : resting.values()) {
      all.add(Rest.wake(view, this));
    }
    return all;
  }

  /** Stores only this state of the pod; it keeps its addresses. */
  void rest(PodView view) {
    pods.remove(view.uid());
    resting.put(view);
  }

  /** Replaces a resting pod by the rebuilt one. */
  void wake(SimulatedPod pod) {
    resting.remove(pod.ref.uid());
    pods.put(pod);
  }

  /** Returns whether a running container uses resources; checks pods but computes nothing. */
  boolean consumes() {
    for (SimulatedPod pod : pods.values()) {
      if (pod.consumes()) {
        return true;
      }
    }
    return false;
  }

  long spent() {
    return spent;
  }

  /** Adds a pod's CPU time when it leaves; negative when it arrives. */
  void spend(long nanoSeconds) {
    spent += nanoSeconds;
  }

  boolean empty() {
    return pods.isEmpty() && resting.isEmpty();
  }

  /**
   * Allocates addresses for a new pod, one per family.
   *
   * @return empty when they are used up
   * @throws IllegalArgumentException when the node's range is invalid
   */
  public Optional<List<String>> takeIps() {
    return addresses().take();
  }

  /** Describes the usage for the message when {@link #takeIps} finds none. */
  String addressUsage() {
    return addresses().usage();
  }

  public void add(SimulatedPod pod) {
    pods.put(pod);
  }

  /**
   * Adds a pod with its addresses.
   *
   * @param since start of the allocation, epoch milliseconds
   */
  void adopt(SimulatedPod pod, long since) {
    if (!pod.ips().isEmpty() && usable()) {
      reserve(addresses(), pod, since);
    }
    add(pod);
  }

  /**
   * Records the addresses of a pod that has ended.
   *
   * @param since start of the allocation, epoch milliseconds
   */
  void held(List<String> ips, long since) {
    if (!ips.isEmpty() && usable()) {
      addresses().held(ips, since);
    }
  }

  /** Returns whether the node's ranges are valid; a pod that needs an address gets the reason. */
  private boolean usable() {
    try {
      return addresses() != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void reserve(NodeAddresses range, SimulatedPod pod, long since) {
    if (!range.reserve(pod.ips(), since)) {
      LOG.atWarn()
          .addKeyValue("node", name)
          .addKeyValue("pod", pod.ref.display())
          .addKeyValue("podIPs", pod.ips())
          .log("Adopted a pod with an address that another pod holds");
    }
  }

  public void remove(SimulatedPod pod) {
    boolean known = pods.remove(pod.ref.uid()) != null | resting.remove(pod.ref.uid()) != null;
    if (known && addresses != null) {
      addresses.free(pod.ips());
    }
  }

  /** Returns the ranges, rebuilt after a change; pods keep their addresses. */
  private NodeAddresses addresses() {
    String own = podCidr.apply(name);
    String shared = sharedRange.apply(name);
    NodeAddresses now = addresses;
    if (now == null || !now.areOf(own, shared)) {
      NodeAddresses fresh = new NodeAddresses(own, shared, name);
      pods().forEach(pod -> reserve(fresh, pod, 0));
      addresses = fresh;
      return fresh;
    }
    return now;
  }
}
