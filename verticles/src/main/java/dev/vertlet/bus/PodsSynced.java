package dev.vertlet.bus;

import java.util.Set;

/**
 * The complete list of the pods of these nodes has been delivered: what was not in it does not
 * exist.
 */
public record PodsSynced(Set<String> nodes) implements BusMessage {
  public PodsSynced {
    nodes = Set.copyOf(nodes);
  }
}
