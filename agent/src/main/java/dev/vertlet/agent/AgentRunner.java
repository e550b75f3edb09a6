package dev.vertlet.agent;

import dev.vertlet.config.VertletConfig;
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
   * @return fails with a message that makes a whole line for the user
   */
  Future<? extends Running> start(VertletConfig config, Vertx vertx, MeterRegistry registry);

  /** An agent at work. */
  interface Running {
    /**
     * Finishes writes in flight and releases the Leases; pods are left running. The caller waits no
     * longer than {@code agent.shutdownTimeout}.
     */
    Future<Void> stop();
  }
}
