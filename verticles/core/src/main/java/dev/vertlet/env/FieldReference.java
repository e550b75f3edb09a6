package dev.vertlet.env;

import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.pod.PodView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The value of a {@code fieldRef}, with the kubelet's messages.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/apis/core/pods/helpers.go">
 *     ConvertDownwardAPIFieldLabel</a>
 */
final class FieldReference {
  private static final String LABELS = "metadata.labels";
  private static final String ANNOTATIONS = "metadata.annotations";

  private FieldReference() {}

  static String value(ValueFrom.Field field, PodView pod, PodFacts facts)
      throws EnvironmentException {
    if (!field.apiVersion().equals("v1")) {
      throw new EnvironmentException("unsupported pod version: " + field.apiVersion());
    }
    String path = field.path();
    int subscript = path.indexOf("['");
    if (subscript > 0 && path.endsWith("']") && subscript + 4 <= path.length()) {
      return subscripted(path, subscript, pod);
    }
    return switch (path) {
      case LABELS -> lines(pod.labels());
      case ANNOTATIONS -> lines(pod.annotations());
      case "metadata.name" -> pod.name();
      case "metadata.namespace" -> pod.namespace();
      case "metadata.uid" -> pod.uid();
      case "spec.nodeName", "spec.host" -> pod.nodeName();
      case "spec.serviceAccountName" -> pod.spec().serviceAccountName();
      case "status.hostIP" -> first(facts.hostIPs());
      case "status.hostIPs" -> String.join(",", facts.hostIPs());
      case "status.podIP" -> first(facts.podIPs());
      case "status.podIPs" -> String.join(",", facts.podIPs());
      case "spec.restartPolicy", "spec.schedulerName", "status.phase" ->
          throw new EnvironmentException("unsupported fieldPath: " + path);
      default -> throw new EnvironmentException("field label not supported: " + path);
    };
  }

  /** Whether the field is an address of the pod, which its object may lack. */
  static boolean isAddress(ValueFrom.Field field) {
    return field.path().equals("status.podIP") || field.path().equals("status.podIPs");
  }

  private static String subscripted(String path, int at, PodView pod) throws EnvironmentException {
    String key = path.substring(at + 2, path.length() - 2);
    return switch (path.substring(0, at)) {
      case LABELS -> pod.labels().getOrDefault(key, "");
      case ANNOTATIONS -> pod.annotations().getOrDefault(key, "");
      default -> throw new EnvironmentException("field label does not support subscript: " + path);
    };
  }

  private static String first(List<String> addresses) {
    return addresses.isEmpty() ? "" : addresses.get(0);
  }

  /** Formats entries sorted by key, one per line. */
  private static String lines(Map<String, String> entries) {
    StringBuilder lines = new StringBuilder();
    new TreeMap<>(entries)
        .forEach(
            (key, value) -> {
              if (!lines.isEmpty()) {
                lines.append('\n');
              }
              lines.append(key).append('=');
              GoQuote.append(lines, value);
            });
    return lines.toString();
  }
}
