package dev.vertlet.harness.run;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.ConfigOverride;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.scenario.Placement;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Configuration of an agent that serves the nodes of a plan.
 *
 * @param kubeconfig kubeconfig of the agent
 * @param profile value of {@code agent.profile}
 * @param dataDir value of {@code agent.dataDir}
 * @param port loopback port for health and metrics
 * @param backend back end of provider {@code remote}; empty for simulated nodes
 */
public record AgentSettings(
    LoadPlan plan, Path kubeconfig, String profile, Path dataDir, int port, Optional<URI> backend) {
  /** Default port of an agent's health and metrics. */
  public static final int USUAL_PORT = 9250;

  private static final String REMOTE = "remote";

  /** A kubelet's default limit of pods, as room for pods that are not of the plan. */
  private static final int USUAL_PODS = 110;

  /** Settings of simulated nodes. */
  public AgentSettings(LoadPlan plan, Path kubeconfig, String profile, Path dataDir, int port) {
    this(plan, kubeconfig, profile, dataDir, port, Optional.empty());
  }

  /** The default port for health and metrics, or a free one when the default is taken. */
  public static int freePort() {
    return LoopbackPorts.isFree(USUAL_PORT) ? USUAL_PORT : LoopbackPorts.next();
  }

  /** Capacity of each node of a plan. */
  public static JsonObject capacity(LoadPlan plan) {
    return new JsonObject()
        .put("cpu", "1000")
        .put("memory", "1Ti")
        .put("pods", Integer.toString(plan.podsPerNode() + USUAL_PODS));
  }

  /** Text of the configuration file. */
  public String json() {
    JsonObject node =
        new JsonObject()
            .put("name", plan.nodeTemplate())
            .put("count", plan.nodes())
            .put("labels", new JsonObject().put(LoadPlan.LABEL, plan.prefix()))
            .put("capacity", capacity(plan));
    if (plan.placement() == Placement.SCHEDULED) {
      node.put("taints", new JsonArray());
    }
    backend.ifPresent(url -> node.put("provider", REMOTE));
    JsonObject configSync = new JsonObject().put("enabled", plan.scenario().rollsOut());
    if (plan.scenario().rollsOut()) {
      configSync.put("allowedNamespaces", new JsonArray().add(plan.namespaces().get(0)));
    }
    JsonObject config = new JsonObject();
    backend.ifPresent(
        url ->
            config.put(
                "providers",
                new JsonObject()
                    .put(
                        "settings",
                        new JsonObject()
                            .put(REMOTE, new JsonObject().put("url", url.toString())))));
    return config
        .put("configSync", configSync)
        .put(
            "agent",
            new JsonObject()
                .put("identity", plan.prefix())
                .put("profile", profile)
                .put("dataDir", dataDir.toString()))
        .put("kubernetes", new JsonObject().put("kubeconfig", kubeconfig.toString()))
        .put("nodes", new JsonArray().add(node))
        .put(
            "server",
            // a machine has one healthzPort, and load tests do not use it
            new JsonObject().put("address", "127.0.0.1").put("port", port).put("healthzPort", 0))
        .put("log", new JsonObject().put("level", "warn"))
        .encodePrettily();
  }

  /**
   * The configuration as an agent in this process reads it; without environment variables.
   *
   * @param flags values of {@code --set}
   */
  public LoadedConfig config(String... flags) {
    return new ConfigLoader(new Environment(Map.of(), Host.detect()))
        .parse(
            "configuration of the agent",
            json(),
            Stream.of(flags).map(ConfigOverride::parse).toList());
  }
}
