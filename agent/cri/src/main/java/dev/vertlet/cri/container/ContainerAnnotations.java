package dev.vertlet.cri.container;

import dev.vertlet.cri.sandbox.PodMarks;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Annotations of a container, from which its state is known after a restart of the agent.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/labels.go">
 *     newContainerAnnotations, kubelet 1.36.3</a>
 */
final class ContainerAnnotations {
  private static final String PREFIX = "io.kubernetes.container.";
  private static final String RESTART_COUNT = PREFIX + "restartCount";

  /** Keys of the lists of containers in a pod's spec. */
  private static final List<String> LISTS =
      List.of("containers", "initContainers", "ephemeralContainers");

  /** Basis and prime of the 32-bit FNV-1a hash. */
  private static final int FNV_BASIS = 0x811c9dc5;

  private static final int FNV_PRIME = 0x01000193;

  private ContainerAnnotations() {}

  /**
   * Returns the annotations.
   *
   * @param pod as the API server holds it
   * @param image as the pod names it
   */
  static Map<String, String> of(JsonObject pod, String container, String image, int attempt) {
    Map<String, String> annotations = new HashMap<>();
    JsonObject definition = container(pod, container);
    annotations.put(PREFIX + "hash", hash(container, image));
    annotations.put(RESTART_COUNT, Integer.toString(attempt));
    annotations.put(
        PREFIX + "terminationMessagePath", definition.getString("terminationMessagePath", ""));
    annotations.put(
        PREFIX + "terminationMessagePolicy", definition.getString("terminationMessagePolicy", ""));
    putNumber(
        annotations,
        "io.kubernetes.pod.deletionGracePeriod",
        pod.getJsonObject("metadata", new JsonObject()).getLong("deletionGracePeriodSeconds"));
    putNumber(
        annotations,
        "io.kubernetes.pod.terminationGracePeriod",
        pod.getJsonObject("spec", new JsonObject()).getLong("terminationGracePeriodSeconds"));
    JsonObject preStop =
        definition.getJsonObject("lifecycle", new JsonObject()).getJsonObject("preStop");
    if (preStop != null) {
      annotations.put(PREFIX + "preStopHandler", preStop.encode());
    }
    JsonArray ports = definition.getJsonArray("ports");
    if (ports != null && !ports.isEmpty()) {
      annotations.put(PREFIX + "ports", ports.encode());
    }
    annotations.put(PodMarks.IMAGE, image);
    return annotations;
  }

  private static void putNumber(
      Map<String, String> annotations, String key, @Nullable Long number) {
    if (number != null) {
      annotations.put(key, number.toString());
    }
  }

  /** Definition of a container of any kind; empty if the pod does not have it. */
  static JsonObject container(JsonObject pod, String name) {
    JsonObject spec = pod.getJsonObject("spec", new JsonObject());
    for (String key : LISTS) {
      for (Object element : spec.getJsonArray(key, new JsonArray())) {
        if (element instanceof JsonObject container && name.equals(container.getString("name"))) {
          return container;
        }
      }
    }
    return new JsonObject();
  }

  /** Hash of what a change of which makes another container: 8 hexadecimal digits at most. */
  private static String hash(String container, String image) {
    String text = new JsonObject().put("image", image).put("name", container).encode();
    int hash = FNV_BASIS;
    for (byte next : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ next & 0xff) * FNV_PRIME;
    }
    return Integer.toHexString(hash);
  }

  /** Restart count of a container; {@code otherwise} if its annotations do not have it. */
  static int restartCount(Map<String, String> annotations, int otherwise) {
    String text = annotations.get(RESTART_COUNT);
    try {
      return text == null ? otherwise : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}
