package dev.vertlet.remote;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.content.ContentFile;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.stream.LogRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Bodies of interLink's plugin API. Hold secrets: never logged. Pure. */
final class InterlinkPayload {
  private InterlinkPayload() {}

  /** A pod with what the calls besides create need. */
  static JsonObject pod(PodView pod) {
    JsonObject json = Views.json(pod);
    JsonObject annotations = new JsonObject();
    pod.annotations().forEach(annotations::put);
    json.getJsonObject("metadata").put("annotations", annotations);
    return json.put("status", new JsonObject().put("phase", pod.status().phase().text()));
  }

  /** Returns a pod of which no more is known than its identity. */
  static JsonObject pod(PodRef pod) {
    JsonObject metadata =
        new JsonObject()
            .put("namespace", pod.namespace())
            .put("name", pod.name())
            .put("uid", pod.uid());
    return new JsonObject()
        .put("metadata", metadata)
        .put("spec", new JsonObject().put("containers", new JsonArray()))
        .put("status", new JsonObject());
  }

  /**
   * The body of a create: the pod, and the content of volumes for each container that mounts them.
   *
   * @param pod whole, with its environment resolved
   */
  static JsonObject create(JsonObject pod, Collection<VolumeContent> volumes) {
    Map<String, VolumeContent> content = new HashMap<>();
    volumes.forEach(volume -> content.put(volume.volume(), volume));
    JsonObject spec = pod.getJsonObject("spec");
    Map<String, JsonObject> definitions = new HashMap<>();
    for (Object one : spec.getJsonArray("volumes", new JsonArray())) {
      JsonObject volume = (JsonObject) one;
      definitions.put(volume.getString("name"), volume);
    }
    JsonArray containers = new JsonArray();
    for (String kind : List.of("initContainers", "containers")) {
      for (Object one : spec.getJsonArray(kind, new JsonArray())) {
        containers.add(container((JsonObject) one, definitions, content));
      }
    }
    return new JsonObject().put("pod", pod).put("container", containers);
  }

  private static JsonObject container(
      JsonObject container,
      Map<String, JsonObject> definitions,
      Map<String, VolumeContent> content) {
    JsonArray configMaps = new JsonArray();
    JsonArray secrets = new JsonArray();
    JsonArray projected = new JsonArray();
    for (Object one : container.getJsonArray("volumeMounts", new JsonArray())) {
      String name = ((JsonObject) one).getString("name");
      VolumeContent volume = content.get(name);
      JsonObject definition = definitions.get(name);
      if (volume == null || definition == null) {
        continue;
      }
      switch (volume.kind()) {
        case "configMap" ->
            configMaps.add(plain(definition.getJsonObject("configMap").getString("name"), volume));
        case "secret" ->
            secrets.add(secret(definition.getJsonObject("secret").getString("secretName"), volume));
        default -> projected.add(plain(name, volume));
      }
    }
    return new JsonObject()
        .put("name", container.getString("name"))
        .put("configMaps", configMaps)
        .put("secrets", secrets)
        .put("projectedvolumemaps", projected)
        .put("emptyDirs", new JsonArray());
  }

  private static JsonObject plain(String name, VolumeContent volume) {
    JsonObject data = new JsonObject();
    for (ContentFile file : volume.files()) {
      data.put(file.path(), file.bytes().toString(StandardCharsets.UTF_8));
    }
    return named(name, data);
  }

  private static JsonObject secret(String name, VolumeContent volume) {
    JsonObject data = new JsonObject();
    for (ContentFile file : volume.files()) {
      data.put(file.path(), Base64.getEncoder().encodeToString(file.bytes().getBytes()));
    }
    return named(name, data);
  }

  private static JsonObject named(String name, JsonObject data) {
    return new JsonObject().put("metadata", new JsonObject().put("name", name)).put("data", data);
  }

  /** The body of a request for a log. */
  static JsonObject logs(LogRequest request) {
    PodRef pod = request.target().pod();
    JsonObject options =
        new JsonObject()
            .put("Timestamps", request.timestamps())
            .put("Follow", request.follow())
            .put("Previous", request.previous());
    Long tail = request.tailLines();
    Long limit = request.limitBytes();
    var since = request.since();
    if (tail != null) {
      options.put("Tail", tail);
    }
    if (limit != null) {
      options.put("Bytes", limit);
    }
    if (since != null) {
      options.put("SinceTime", since.toString());
    }
    return new JsonObject()
        .put("Namespace", pod.namespace())
        .put("PodUID", pod.uid())
        .put("PodName", pod.name())
        .put("ContainerName", request.target().container())
        .put("Opts", options);
  }
}
