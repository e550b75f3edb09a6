package dev.vertlet.harness.replay.plan;

import dev.vertlet.trace.ContainerLife;
import dev.vertlet.trace.PodLife;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Definitions of containers of pods whose template the trace does not have. */
final class PodLives {
  private PodLives() {}

  /** One container for each recorded regular one; the first requests what the pod did. */
  static JsonArray containers(PodLife life) {
    JsonArray containers = new JsonArray();
    for (ContainerLife container : life.containers()) {
      if (!container.init()) {
        containers.add(new JsonObject().put("name", container.name()).put("image", "replayed"));
      }
    }
    if (containers.isEmpty()) {
      containers.add(new JsonObject().put("name", "main").put("image", "replayed"));
    }
    containers
        .getJsonObject(0)
        .put(
            "resources",
            new JsonObject()
                .put(
                    "requests",
                    new JsonObject()
                        .put("cpu", life.demand().cpuMillis() + "m")
                        .put("memory", Long.toString(life.demand().memoryBytes()))));
    return containers;
  }
}
