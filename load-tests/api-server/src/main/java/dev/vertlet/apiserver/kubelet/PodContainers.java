package dev.vertlet.apiserver.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import java.util.ArrayList;
import java.util.List;

/** Which container of a pod is meant. */
public final class PodContainers {
  private PodContainers() {}

  /**
   * The container that was asked for, or the only one.
   *
   * @param asked the name in the request, empty when there is none
   * @throws ApiException 400 when the pod has no such container, or several and none was named
   */
  public static String choose(ObjectNode pod, String asked) {
    String name = Json.text(pod, "metadata", "name");
    List<String> all = names(pod, "initContainers", "containers", "ephemeralContainers");
    if (!asked.isEmpty()) {
      if (!all.contains(asked)) {
        throw ApiException.badRequest(
            "container %s is not valid for pod %s".formatted(asked, name));
      }
      return asked;
    }
    List<String> plain = names(pod, "containers");
    if (plain.size() == 1) {
      return plain.get(0);
    }
    throw ApiException.badRequest(
        "a container name must be specified for pod %s, choose one of: [%s]"
            .formatted(name, String.join(" ", all)));
  }

  private static List<String> names(ObjectNode pod, String... lists) {
    List<String> names = new ArrayList<>();
    for (String list : lists) {
      Json.at(pod, "spec", list).forEach(container -> names.add(Json.text(container, "name")));
    }
    return names;
  }
}
