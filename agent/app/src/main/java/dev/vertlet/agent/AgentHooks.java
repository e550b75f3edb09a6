package dev.vertlet.agent;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.nodes.NodeErrorHandler;
import dev.vertlet.pods.PodSource;
import dev.vertlet.status.StatusRetries;
import java.time.Clock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Parts of an agent that the embedding program replaces.
 *
 * @param pods the program's watch, null for the agent's own
 * @param filter accepts pods of the agent's own watch
 * @param client makes the client of the API server, null for that of the configuration
 * @param events receives events, null to write them
 * @param clock null for the machine's
 */
record AgentHooks(
    @Nullable PodSource pods,
    Predicate<PodView> filter,
    NodeErrorHandler nodeErrors,
    StatusRetries retries,
    @Nullable KubeClientFactory client,
    @Nullable Consumer<ObjectEvent> events,
    @Nullable Clock clock) {
  /** An agent without an embedding program. */
  static final AgentHooks NONE =
      new AgentHooks(
          null, pod -> true, NodeErrorHandler.NONE, StatusRetries.DEFAULTS, null, null, null);
}
