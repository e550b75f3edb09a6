package dev.vertlet.agent;

import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Makes an agent's client of the API server. */
@FunctionalInterface
public interface KubeClientFactory {
  /**
   * Makes the client. Called once, on the event loop that the client stays on.
   *
   * @param vertx of the agent, which closes the client
   * @param options from section {@code kubernetes} of the configuration
   * @return a failure keeps the agent from starting
   */
  Future<KubeClient> create(Vertx vertx, KubeClientOptions options, MeterRegistry metrics);
}
