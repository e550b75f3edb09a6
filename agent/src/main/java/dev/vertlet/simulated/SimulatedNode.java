package dev.vertlet.simulated;

import dev.vertlet.model.KeyedTable;
import dev.vertlet.model.PodView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one node holds: pods, their addresses, images. */
final class SimulatedNode {
  private static final Logger LOG = LoggerFactory.getLogger(SimulatedNode.class);

  private final String name;
  private final Function<String, String> podCidr;
  private final Function<String, String> sharedRange;
  private final ImageStore images = new ImageStore();
  private final KeyedTable<String, SimulatedPod> pods = new KeyedTable<>(pod -> pod.ref.uid());

  /** What is kept of those that rest. */
  private final KeyedTable<String, PodView> resting = new KeyedTable<>(PodView::uid);

  private @Nullable NodeAddresses addresses;

  /**
   * Nanoseconds of processor time: of pods that are gone, less what those had that were adopted. So
   * that what the node took only grows.
   */
  private long spent;

  /**
   * @param podCidr node name to the ranges that are its own
   * @param sharedRange node name to one that other nodes may use as well
   */
  SimulatedNode(
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

  /** A copy, in no order; of those that rest, what they would be awake. */
  List<SimulatedPod> pods() {
    List<SimulatedPod> all = new ArrayList<>(pods.size() + resting.size());
    all.addAll(pods.values());
    for (PodView view : resting.values()) {
      all.add(Rest.wake(view, this));
    }
    return all;
  }

  /** The pod keeps its addresses, and of the rest of it this state alone is kept. */
  void rest(PodView view) {
    pods.remove(view.uid());
    resting.put(view);
  }

  /** The pod rests no longer. */
  void wake(SimulatedPod pod) {
    resting.remove(pod.ref.uid());
    pods.put(pod);
  }

  /** Whether a running container takes anything; costs nothing but a look at each. */
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

  /** The pod came, or goes, with this much processor time; negative for one that comes. */
  void spend(long nanoSeconds) {
    spent += nanoSeconds;
  }

  boolean empty() {
    return pods.isEmpty() && resting.isEmpty();
  }

  /**
   * Addresses for a new pod, one of each range.
   *
   * @return empty when they are used up
   * @throws IllegalArgumentException when the node's range cannot be used
   */
  Optional<List<String>> takeIps() {
    return addresses().take();
  }

  /** For the message when {@link #takeIps} found none. */
  String addressUsage() {
    return addresses().usage();
  }

  void add(SimulatedPod pod) {
    pods.put(pod);
  }

  /**
   * A pod that brings its addresses along.
   *
   * @param since when it began to hold them, epoch milliseconds
   */
  void adopt(SimulatedPod pod, long since) {
    if (!pod.ips().isEmpty() && usable()) {
      reserve(addresses(), pod, since);
    }
    add(pod);
  }

  /**
   * A pod that is over held these addresses.
   *
   * @param since when it began to, epoch milliseconds
   */
  void held(List<String> ips, long since) {
    if (!ips.isEmpty() && usable()) {
      addresses().held(ips, since);
    }
  }

  /** Whether the node's ranges make sense; a pod that needs an address is told why not. */
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

  void remove(SimulatedPod pod) {
    boolean known = pods.remove(pod.ref.uid()) != null | resting.remove(pod.ref.uid()) != null;
    if (known && addresses != null) {
      addresses.free(pod.ips());
    }
  }

  /** Made anew when a range was changed: what pods hold stays theirs. */
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
