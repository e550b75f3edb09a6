package dev.vertlet.env;

import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.pod.PodView;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Fields of a pod in files of its volumes, with a kubelet's messages. Fewer fields are allowed than
 * in variables, as the others do not change or are not known before the pod starts.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/volume/downwardapi">
 *     CollectData, kubelet 1.36.3</a>
 */
public final class DownwardApi {
  private static final Set<String> FIELDS =
      Set.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid");

  private static final PodFacts NO_FACTS = new PodFacts(List.of(), List.of(), Map.of());

  private DownwardApi() {}

  /**
   * Returns a field's value.
   *
   * @param allocatable of the pod's node: resource name to quantity
   * @throws IllegalArgumentException with the kubelet's message for an unsupported field
   */
  public static String value(ValueFrom from, PodView pod, Map<String, String> allocatable) {
    try {
      if (from instanceof ValueFrom.Field field) {
        return field(field.path(), pod);
      } else if (from instanceof ValueFrom.Resource resource && !resource.container().isEmpty()) {
        return ResourceReference.value(
            resource,
            pod,
            pod.spec().containers().get(0),
            new PodFacts(List.of(), List.of(), allocatable));
      }
      throw new IllegalArgumentException("container  not found");
    } catch (EnvironmentException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static String field(String path, PodView pod) throws EnvironmentException {
    int subscript = path.indexOf("['");
    String whole = subscript > 0 && path.endsWith("']") ? path.substring(0, subscript) : path;
    boolean map = whole.equals("metadata.labels") || whole.equals("metadata.annotations");
    if (!whole.equals(path) && !map) {
      throw new IllegalArgumentException("fieldPath \"" + whole + "\" does not support subscript");
    }
    if (!FIELDS.contains(whole)) {
      throw new IllegalArgumentException("unsupported fieldPath: " + path);
    }
    return FieldReference.value(new ValueFrom.Field("v1", path), pod, NO_FACTS);
  }
}
