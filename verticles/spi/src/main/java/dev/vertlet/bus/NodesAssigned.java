package dev.vertlet.bus;

import java.util.Map;

/**
 * The agent that serves each node from now on.
 *
 * @param owners identities of agents by node; a missing node has no agent for now
 */
public record NodesAssigned(Map<String, String> owners) implements BusMessage {
  public NodesAssigned {
    owners = Map.copyOf(owners);
  }
}
