package dev.vertlet.remote;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.remote.client.PodPayload;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Writes the essentials of pods whose whole definition is not at hand. */
final class Views {
  private Views() {}

  static JsonObject json(PodView pod) {
    JsonArray containers = new JsonArray();
    pod.spec().containers().forEach(container -> containers.add(json(container)));
    return new JsonObject()
        .put(
            "metadata",
            new JsonObject()
                .put("namespace", pod.namespace())
                .put("name", pod.name())
                .put("uid", pod.uid()))
        .put("spec", new JsonObject().put("containers", containers));
  }

  static JsonObject json(ContainerView container) {
    JsonObject json =
        new JsonObject().put("name", container.name()).put("image", container.image());
    PodPayload.resolve(json, container);
    return json;
  }
}
