package dev.vertlet.kubelet.resize;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Resources of a pod in events about a resize: the kubelet's JSON, with its order of fields.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/events/resize.go">
 *     podResizeMessage, kubelet 1.36.3</a>
 */
final class ResizeSummary {
  private final StringBuilder json = new StringBuilder(128);

  private ResizeSummary() {}

  /**
   * @param error empty for none
   */
  static String of(String what, PodView pod, long generation, String error) {
    ResizeSummary made = new ResizeSummary();
    made.json.append(what).append(": {");
    made.containers("initContainers", pod.spec().initContainers());
    made.containers("containers", pod.spec().containers());
    made.json.append("\"generation\":").append(generation);
    if (!error.isEmpty()) {
      made.json.append(",\"error\":");
      made.text(error);
    }
    return made.json.append('}').toString();
  }

  private void containers(String name, List<ContainerView> containers) {
    if (containers.isEmpty()) {
      return;
    }
    text(name);
    json.append(":[");
    String comma = "";
    for (ContainerView container : containers) {
      json.append(comma).append("{\"name\":");
      text(container.name());
      json.append(",\"resources\":{");
      resources(container.resources());
      json.append("}}");
      comma = ",";
    }
    json.append("],");
  }

  private void resources(ResourcesView resources) {
    amounts("limits", resources.limits());
    if (!resources.limits().isEmpty() && !resources.requests().isEmpty()) {
      json.append(',');
    }
    amounts("requests", resources.requests());
  }

  private void amounts(String name, Map<String, String> amounts) {
    if (amounts.isEmpty()) {
      return;
    }
    text(name);
    json.append(":{");
    String comma = "";
    for (var amount : new TreeMap<>(amounts).entrySet()) {
      json.append(comma);
      text(amount.getKey());
      json.append(':');
      text(amount.getValue());
      comma = ",";
    }
    json.append('}');
  }

  private void text(String text) {
    json.append('"').append(JsonStringEncoder.getInstance().quoteAsString(text)).append('"');
  }
}
