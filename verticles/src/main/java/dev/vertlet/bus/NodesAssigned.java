package dev.vertlet.bus;

import java.util.Map;

/**
 * Which agent shall serve each node from now on.
 *
 * @param owners identities of agents by node; a node that is missing is nobody's for now
 */
public record NodesAssigned(Map<String, String> owners) implements BusMessage {
  public NodesAssigned {
    owners = Map.copyOf(owners);
  }
}
