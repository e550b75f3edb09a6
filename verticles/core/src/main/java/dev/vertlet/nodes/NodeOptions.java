package dev.vertlet.nodes;

import dev.vertlet.model.Names;
import java.time.Duration;

/**
 * Settings of nodes.
 *
 * @param identity of this agent; its label form marks the nodes it serves
 * @param reportFrequency interval at which an unchanged status is written, for its heartbeat times;
 *     kubelets use 5 min, ±50 %
 * @param pingInterval time between two pings of a provider
 * @param pingTimeout a ping without an answer for this long has failed
 */
public record NodeOptions(
    String identity, Duration reportFrequency, Duration pingInterval, Duration pingTimeout) {
  /** Marks the nodes of one agent, so that one watch by label covers all of them. */
  public static final String AGENT_LABEL = "vertlet.dev/agent";

  /** {@link #identity} as a label value: unchanged if valid, else a hash of it. */
  public String label() {
    boolean usable = Names.checkLabelValue(identity).isEmpty();
    return usable ? identity : "agent-" + Integer.toHexString(identity.hashCode());
  }
}
