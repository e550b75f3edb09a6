package dev.vertlet.agent;

import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.process.BuildInfo;
import dev.vertlet.metrics.NodeMetersVerticle;
import dev.vertlet.page.PageVerticle;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.server.HealthServer;
import dev.vertlet.server.ReadPolicy;
import dev.vertlet.server.Readiness;
import io.vertx.core.Future;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The status page, the metrics of nodes, and the server of both and of the health checks. They
 * start first, with the local configuration, and show how the rest of the agent starts.
 */
final class HealthVerticles {
  private HealthVerticles() {}

  /** Makes the readiness of an agent, which the main loop owns. */
  static Readiness readiness(VertletConfig local) {
    return new Readiness(names(local), !local.adopt().isEmpty(), local.agent().identity());
  }

  private static Set<String> names(VertletConfig local) {
    return local.nodeSpecs().stream().map(NodeSpec::name).collect(Collectors.toSet());
  }

  /**
   * Starts the verticles.
   *
   * @param readers access to metrics and page
   * @return fails when the port is taken
   */
  static Future<?> start(
      AgentResources agent, VertletConfig local, Readiness readiness, ReadPolicy readers) {
    Set<String> nodes = names(local);
    String identity = local.agent().identity();
    PageVerticle page = page(agent, local, nodes, readers);
    Future<?> shown = page == null ? Future.succeededFuture() : agent.add(() -> page);
    return shown
        .compose(
            v ->
                agent.add(
                    () -> new NodeMetersVerticle(nodes, identity, agent.bus(), agent.metrics())))
        .compose(
            v ->
                agent.add(
                    () ->
                        new HealthServer(
                            local.server(),
                            readiness,
                            agent.loops().liveness(),
                            agent.bus(),
                            agent.metrics(),
                            readers,
                            page)));
  }

  /** Null if the page is disabled. */
  private static @Nullable PageVerticle page(
      AgentResources agent, VertletConfig local, Set<String> nodes, ReadPolicy readers) {
    return local.server().page().enabled()
        ? new PageVerticle(
            nodes,
            new PageVerticle.About(
                local.agent().identity(), BuildInfo.get().version(), BuildInfo.KUBERNETES),
            agent.bus(),
            readers,
            agent.wallEnv())
        : null;
  }
}
