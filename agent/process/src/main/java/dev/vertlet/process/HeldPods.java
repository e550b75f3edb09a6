package dev.vertlet.process;

import dev.vertlet.model.PodRef;
import dev.vertlet.process.store.HostPort;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The pods that the runtime has, by UID. Used by the shard's loop alone. */
final class HeldPods {
  private final Map<String, HeldPod> pods = new HashMap<>();

  /** Returns a copy, in no particular order. */
  List<HeldPod> all() {
    return List.copyOf(pods.values());
  }

  @Nullable HeldPod get(String uid) {
    return pods.get(uid);
  }

  void add(HeldPod pod) {
    pods.put(pod.stored().ref().uid(), pod);
  }

  /** Removes a pod, unless another object has taken its place. */
  void remove(HeldPod pod) {
    pods.remove(pod.stored().ref().uid(), pod);
  }

  /** Returns an instance of a pod's container; null if the runtime does not have it. */
  @Nullable Instance instance(PodRef ref, String containerId) {
    HeldPod pod = pods.get(ref.uid());
    return pod == null ? null : pod.instance(containerId);
  }

  boolean hasSandbox(PodRef ref) {
    HeldPod pod = pods.get(ref.uid());
    return pod != null && pod.stored().sandbox() != null;
  }

  /** Returns all ports that pods with a sandbox declare. */
  Set<HostPort> ports() {
    Set<HostPort> ports = new HashSet<>();
    pods.values().forEach(pod -> ports.addAll(pod.stored().ports()));
    return ports;
  }
}
