package dev.vertlet.agent;

import dev.vertlet.config.LoadedConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Starts the agent of a configuration. The command line depends on this interface alone. */
@FunctionalInterface
public interface AgentRunner {
  /**
   * Starts an agent on {@code vertx}.
   *
   * @param registry for the agent's metrics
   * @param exit called on any thread when the agent has to stop so that the next process runs with
   *     another config
   * @return fails with a message that makes a whole line for the user
   */
  Future<? extends Running> start(
      LoadedConfig config, Vertx vertx, MeterRegistry registry, Runnable exit);

  /** A running agent. */
  interface Running {
    /**
     * Finishes writes in flight and releases the Leases; pods are left running. The caller waits no
     * longer than {@code agent.shutdownTimeout}.
     */
    Future<Void> stop();
  }
}
