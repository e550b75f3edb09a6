package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.KubeObject;
import dev.vertlet.sandbox.PodTree;
import java.util.List;

/**
 * A pod in a pool: a tree in the usual form, reduced to the fields that decisions need, a tenth of
 * the server's answer.
 */
record PodObject(JsonNode tree) implements KubeObject {
  private static final List<String> METADATA =
      List.of(
          "name",
          "namespace",
          "uid",
          "resourceVersion",
          "creationTimestamp",
          "deletionTimestamp",
          "labels",
          "annotations",
          "finalizers");

  static PodObject of(JsonNode pod) {
    if (PodTree.name(pod).isEmpty()) {
      throw new DecodeException("a pod must have metadata.name");
    }
    ObjectNode small = JsonNodeFactory.instance.objectNode();
    keep(pod.path("metadata"), small.putObject("metadata"), METADATA);
    ObjectNode spec = small.putObject("spec");
    keep(pod.path("spec"), spec, List.of("nodeName", "imagePullSecrets"));
    pod.path("spec")
        .path("containers")
        .forEach(c -> keep(c, spec.withArray("containers").addObject(), List.of("name", "image")));
    ObjectNode status = small.putObject("status");
    keep(pod.path("status"), status, List.of("phase", "podIP"));
    pod.path("status")
        .path("conditions")
        .forEach(
            c -> {
              if (c.path("type").asText().equals("Ready")) {
                status.withArray("conditions").add(c);
              }
            });
    pod.path("status")
        .path("containerStatuses")
        .forEach(
            c ->
                keep(
                    c,
                    status.withArray("containerStatuses").addObject(),
                    List.of("name", "imageID", "containerID", "restartCount", "lastState")));
    return new PodObject(small);
  }

  private static void keep(JsonNode from, ObjectNode to, List<String> fields) {
    for (String field : fields) {
      JsonNode value = from.get(field);
      if (value != null) {
        to.set(field, value);
      }
    }
  }

  @Override
  public String namespace() {
    return PodTree.namespace(tree);
  }

  @Override
  public String name() {
    return PodTree.name(tree);
  }

  @Override
  public String uid() {
    return PodTree.uid(tree);
  }

  @Override
  public long resourceVersion() {
    return PodTree.resourceVersion(tree);
  }
}
