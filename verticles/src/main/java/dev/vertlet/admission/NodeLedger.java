package dev.vertlet.admission;

import dev.vertlet.model.PlacementView;
import dev.vertlet.model.PlacementView.HostPort;
import dev.vertlet.model.PodRequests;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the unfinished pods of one node take together. Every change costs the same. */
public final class NodeLedger {
  private long pods;
  private long milliCpu;
  private long memory;
  private long ephemeralStorage;
  private Map<String, Long> others = Map.of();
  private final List<HostPort> hostPorts = new ArrayList<>(0);

  private Runnable listener = () -> {};

  /**
   * @param told whenever something may be free that was taken
   */
  public void whenFreed(Runnable told) {
    listener = told;
  }

  /** A pod has gone, or takes less. */
  public void freed() {
    listener.run();
  }

  public void add(PlacementView pod) {
    change(pod.requests(), 1);
    if (!pod.hostPorts().isEmpty()) {
      hostPorts.addAll(pod.hostPorts());
    }
  }

  /**
   * @param pod as it was added
   */
  public void remove(PlacementView pod) {
    change(pod.requests(), -1);
    for (HostPort port : pod.hostPorts()) {
      hostPorts.remove(port);
    }
  }

  private void change(PodRequests requests, int sign) {
    pods += sign;
    milliCpu += sign * requests.milliCpu();
    memory += sign * requests.memory();
    ephemeralStorage += sign * requests.ephemeralStorage();
    if (!requests.others().isEmpty()) {
      others = others.isEmpty() ? new HashMap<>() : others;
      requests.others().forEach((name, amount) -> others.merge(name, sign * amount, Long::sum));
      others.values().removeIf(amount -> amount == 0);
    }
  }

  public long pods() {
    return pods;
  }

  long milliCpu() {
    return milliCpu;
  }

  long memory() {
    return memory;
  }

  long ephemeralStorage() {
    return ephemeralStorage;
  }

  long other(String resource) {
    return others.getOrDefault(resource, 0L);
  }

  /** Whether none of these is taken. */
  boolean free(List<HostPort> wanted) {
    if (wanted.isEmpty() || hostPorts.isEmpty()) {
      return true;
    }
    for (HostPort port : wanted) {
      for (HostPort taken : hostPorts) {
        if (port.conflicts(taken)) {
          return false;
        }
      }
    }
    return true;
  }
}
