package dev.vertlet.bus;

import java.util.Set;

/**
 * The complete list of the pods of these nodes has been delivered: what was not in it does not
 * exist.
 *
 * @param term the list was begun in this term of the nodes' Leases, see {@link LeaseAcquired}
 */
public record PodsSynced(Set<String> nodes, int term) implements BusMessage {
  public PodsSynced {
    nodes = Set.copyOf(nodes);
  }
}
