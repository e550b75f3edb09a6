package dev.vertlet.admission;

import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PlacementView.HostPort;
import dev.vertlet.model.pod.PodRequests;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Total requests of a node's unfinished pods. Every change has constant cost. */
public final class NodeLedger {
  private long pods;
  private long milliCpu;
  private long memory;
  private long ephemeralStorage;
  private Map<String, Long> others = Map.of();
  private final List<HostPort> hostPorts = new ArrayList<>(0);

  private Runnable listener = () -> {};

  /**
   * Sets the listener.
   *
   * @param callback called whenever resources may have become free
   */
  public void whenFreed(Runnable callback) {
    listener = callback;
  }

  /** A pod is gone, or requests less. */
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
   * Subtracts a pod.
   *
   * @param pod unchanged since {@link #add}
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

  /** Whether none of these ports is in use. */
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
