package dev.vertlet.harness.replay;

import dev.vertlet.agent.Vertlet;
import dev.vertlet.harness.replay.life.LifeBook;
import dev.vertlet.harness.replay.life.ReplayClock;
import dev.vertlet.harness.replay.life.ReplayRuntime;
import dev.vertlet.harness.replay.plan.ReplayLabels;
import dev.vertlet.harness.run.RunDir;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;

/** The agent in this process that serves a replay's nodes. */
final class ReplayAgent {
  private static final String PROVIDER = "replay";

  private ReplayAgent() {}

  /**
   * Starts the agent, which adopts the nodes that the replay makes.
   *
   * @throws dev.vertlet.cli.FailedException when it cannot run
   */
  static Vertlet start(
      String id, Path kubeconfig, RunDir dir, LifeBook lives, double speed, ReplayClock clock)
      throws InterruptedException {
    return Vertlet.start(
        config(id, kubeconfig, dir.file("agent")).encode(),
        ProviderFactory.of(
            PROVIDER,
            setup -> new Backend.Containers(ReplayRuntime.create(setup, lives, speed, clock))));
  }

  private static JsonObject config(String id, Path kubeconfig, Path data) {
    JsonObject node =
        new JsonObject()
            .put("adopt", new JsonObject().put("labelSelector", ReplayLabels.selector(id)))
            .put("provider", PROVIDER);
    return new JsonObject()
        .put("nodes", new JsonArray().add(node))
        .put("agent", new JsonObject().put("identity", id).put("dataDir", data.toString()))
        .put("kubernetes", new JsonObject().put("kubeconfig", kubeconfig.toString()))
        .put("server", new JsonObject().put("port", 0).put("enableServer", false))
        // recorded waits are played; Kubernetes' own, as short as they can be, are part of them
        .put(
            "featureGates",
            new JsonObject()
                .put("ReduceDefaultCrashLoopBackOffDecay", true)
                .put("KubeletCrashLoopBackOffMax", true))
        .put("pods", new JsonObject().put("maxContainerBackOff", "1s"));
  }
}
