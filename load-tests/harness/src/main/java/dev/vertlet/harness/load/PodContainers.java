package dev.vertlet.harness.load;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Makes the containers of a load's pods. */
@FunctionalInterface
public interface PodContainers {
  /**
   * Returns {@code spec.containers} of a pod.
   *
   * @param pod number of the pod, from 0; 0 for all pods of Deployments
   */
  JsonArray of(int pod);

  /**
   * Containers of the pause image.
   *
   * @param command their command; empty for that of the image
   */
  static PodContainers pausing(int containers, List<String> command) {
    return pod -> {
      JsonArray all = new JsonArray();
      for (int i = 0; i < containers; i++) {
        JsonObject container =
            new JsonObject()
                .put("name", i == 0 ? "main" : "main-" + i)
                .put("image", "registry.k8s.io/pause:3.10.2");
        all.add(command.isEmpty() ? container : container.put("command", new JsonArray(command)));
      }
      return all;
    };
  }
}
