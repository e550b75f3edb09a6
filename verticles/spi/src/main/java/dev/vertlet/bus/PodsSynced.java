package dev.vertlet.bus;

import java.util.Set;

/**
 * The complete list of the pods of these nodes has been delivered: a pod that it lacks does not
 * exist.
 *
 * @param term term of the nodes' Leases in which the list began, see {@link LeaseAcquired}
 */
public record PodsSynced(Set<String> nodes, int term) implements BusMessage {
  public PodsSynced {
    nodes = Set.copyOf(nodes);
  }
}
