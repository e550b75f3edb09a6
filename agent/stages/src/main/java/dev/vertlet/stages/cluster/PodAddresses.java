package dev.vertlet.stages.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.stages.play.StageObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Addresses of pods, from the ranges of their nodes and never from outside. A pod keeps its
 * addresses until it is gone, however often its template is rendered.
 */
final class PodAddresses {
  private final Map<String, AddressPool> pools = new HashMap<>();
  private final Map<String, List<Held>> byPod = new HashMap<>();

  private record Held(String cidr, int index) {}

  /** Marks the addresses that a pod has already. */
  void observed(StageObject pod, List<String> cidrs) {
    if (byPod.containsKey(pod.uid()) || pod.json().path("spec").path("hostNetwork").asBoolean()) {
      return;
    }
    List<Held> held = new ArrayList<>(1);
    JsonNode status = pod.json().path("status");
    List<String> ips = new ArrayList<>(1);
    status.path("podIPs").forEach(ip -> ips.add(ip.path("ip").asText()));
    if (ips.isEmpty() && !status.path("podIP").asText("").isEmpty()) {
      ips.add(status.path("podIP").asText());
    }
    for (String ip : ips) {
      for (String cidr : cidrs) {
        int index = pool(cidr).reserve(ip);
        if (index >= 0) {
          held.add(new Held(cidr, index));
        }
      }
    }
    if (held.size() == cidrs.size() && !held.isEmpty()) {
      byPod.put(pod.uid(), held);
    }
  }

  /**
   * Returns a pod's addresses, one of each range.
   *
   * @throws IllegalArgumentException for a text that is no range
   * @throws IllegalStateException when all addresses of a range are in use
   */
  List<String> of(String uid, List<String> cidrs) {
    List<Held> held = byPod.get(uid);
    if (held == null) {
      held = take(cidrs);
      if (!uid.isEmpty()) {
        byPod.put(uid, held);
      }
    }
    return held.stream().map(each -> pool(each.cidr()).text(each.index())).toList();
  }

  private List<Held> take(List<String> cidrs) {
    List<Held> taken = new ArrayList<>(cidrs.size());
    for (String cidr : cidrs) {
      OptionalInt index = pool(cidr).take();
      if (index.isEmpty()) {
        taken.forEach(each -> pool(each.cidr()).free(each.index()));
        throw new IllegalStateException("all addresses of " + cidr + " are in use");
      }
      taken.add(new Held(cidr, index.getAsInt()));
    }
    return taken;
  }

  /** A pod is gone. */
  void released(String uid) {
    List<Held> held = byPod.remove(uid);
    if (held != null) {
      held.forEach(each -> pool(each.cidr()).free(each.index()));
    }
  }

  private AddressPool pool(String cidr) {
    return pools.computeIfAbsent(cidr, AddressPool::new);
  }
}
