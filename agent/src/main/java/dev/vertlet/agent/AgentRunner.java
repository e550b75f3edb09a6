package dev.vertlet.agent;

import dev.vertlet.config.LoadedConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Starts what a configuration describes. The command line knows no more of an agent than this. */
@FunctionalInterface
public interface AgentRunner {
  /**
   * Starts an agent on {@code vertx}.
   *
   * @param registry to count into
   * @param exit called on any thread when the agent is to be stopped for the next process to run by
   *     another config
   * @return fails with a message that makes a whole line for the user
   */
  Future<? extends Running> start(
      LoadedConfig config, Vertx vertx, MeterRegistry registry, Runnable exit);

  /** An agent at work. */
  interface Running {
    /**
     * Finishes writes in flight and releases the Leases; pods are left running. The caller waits no
     * longer than {@code agent.shutdownTimeout}.
     */
    Future<Void> stop();
  }
}
