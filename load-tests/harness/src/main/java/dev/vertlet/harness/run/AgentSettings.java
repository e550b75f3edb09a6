package dev.vertlet.harness.run;

import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.Environment;
import dev.vertlet.config.Host;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.loopback.LoopbackPorts;
import dev.vertlet.harness.scenario.Placement;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The configuration of an agent that serves the nodes of a plan.
 *
 * @param kubeconfig what the agent connects with
 * @param profile as {@code agent.profile}
 * @param dataDir as {@code agent.dataDir}
 * @param port for health and metrics, on loopback
 */
public record AgentSettings(
    LoadPlan plan, Path kubeconfig, String profile, Path dataDir, int port) {
  /** Where agents serve health and metrics by default. */
  public static final int USUAL_PORT = 9250;

  /** What a kubelet's node takes by default: room for pods that are not of the plan. */
  private static final int USUAL_PODS = 110;

  /** The port where people look for health and metrics, or another when that one is taken. */
  public static int freePort() {
    return LoopbackPorts.isFree(USUAL_PORT) ? USUAL_PORT : LoopbackPorts.next();
  }

  /** What each node of a plan has room for. */
  public static JsonObject capacity(LoadPlan plan) {
    return new JsonObject()
        .put("cpu", "1000")
        .put("memory", "1Ti")
        .put("pods", Integer.toString(plan.podsPerNode() + USUAL_PODS));
  }

  /** The configuration file's text. */
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
    JsonObject configSync = new JsonObject().put("enabled", plan.scenario().rollsOut());
    if (plan.scenario().rollsOut()) {
      configSync.put("allowedNamespaces", new JsonArray().add(plan.namespaces().get(0)));
    }
    return new JsonObject()
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
            // a machine has one healthzPort, and nobody asks there
            new JsonObject().put("address", "127.0.0.1").put("port", port).put("healthzPort", 0))
        .put("log", new JsonObject().put("level", "warn"))
        .encodePrettily();
  }

  /** The same as an agent in this process reads it. Variables of the environment do not count. */
  public LoadedConfig config() {
    return new ConfigLoader(new Environment(Map.of(), Host.detect()))
        .parse("configuration of the agent", json(), List.of());
  }
}
