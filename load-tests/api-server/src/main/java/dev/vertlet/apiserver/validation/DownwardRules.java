package dev.vertlet.apiserver.validation;

import dev.vertlet.apiserver.api.Quantities;
import java.util.Set;

/** Fields and resources of a pod that its containers may see. */
final class DownwardRules {
  /** Fields a variable may show, sorted. */
  private static final String[] OF_VARIABLES = {
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs"
  };

  /** Fields a file may show, sorted. */
  private static final String[] OF_FILES = {
    "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"
  };

  private static final String[] RESOURCES = {
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory"
  };

  private static final Set<String> CPU_DIVISORS = Set.of("1m", "1");
  private static final Set<String> DIVISORS =
      Set.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");
  private static final String ONLY =
      "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported"
          + " with the %s resource";

  private DownwardRules() {}

  /** A file of a volume; the real server reports it at the path of the whole source. */
  static void file(FieldValue file, FieldValue source) {
    FieldValue path = source.at("path").reporting(file.at("path"));
    path.requireFormat(Format.FILE_OF_VOLUME);
    FieldValue field = source.at("fieldRef").reporting(file.at("fieldRef"));
    FieldValue resource = source.at("resourceFieldRef").reporting(file.at("resourceFieldRef"));
    if (field.isPresent()) {
      field(field, OF_FILES);
      if (resource.isPresent()) {
        source.invalid(
            "\"resource\"", "fieldRef and resourceFieldRef can not be specified simultaneously");
      }
    } else if (resource.isPresent()) {
      resource(resource, true);
    } else {
      source.required("one of fieldRef and resourceFieldRef is required");
    }
    source.at("mode").reporting(file.at("mode")).fileMode();
  }

  /** A field that a variable shows. */
  static void variable(FieldValue field) {
    field(field, OF_VARIABLES);
  }

  private static void field(FieldValue field, String[] supported) {
    FieldValue path = field.at("fieldPath");
    if (path.requireAny()) {
      return;
    }
    String text = path.text();
    int subscript = text.endsWith("']") ? text.indexOf("['") : -1;
    if (subscript > 0) {
      subscripted(
          field,
          path,
          text.substring(0, subscript),
          text.substring(subscript + 2, text.length() - 2));
    } else if (!isConvertible(text)) {
      path.invalid("error converting fieldPath: field label not supported: " + text);
    } else {
      path.oneOf(supported);
    }
  }

  private static void subscripted(FieldValue field, FieldValue path, String map, String key) {
    if (map.equals("metadata.annotations") || map.equals("metadata.labels")) {
      String shown = map.equals("metadata.labels") ? key : key.toLowerCase(java.util.Locale.ROOT);
      Format.QUALIFIED_NAME
          .problems(shown)
          .forEach(problem -> field.invalid(GoText.quoted(shown), problem));
    } else {
      path.invalid(
          "error converting fieldPath: field label does not support subscript: " + path.text());
    }
  }

  /** What is a field of a pod in the downward API at all, of a volume or of a variable. */
  private static boolean isConvertible(String path) {
    return Set.of(OF_VARIABLES).contains(path)
        || Set.of(OF_FILES).contains(path)
        || path.equals("spec.restartPolicy")
        || path.equals("spec.schedulerName")
        || path.equals("status.phase");
  }

  /** A request or limit of a container. */
  static void resource(FieldValue selector, boolean ofFile) {
    FieldValue resource = selector.at("resource");
    String name = resource.text();
    boolean pages = name.startsWith("requests.hugepages-") || name.startsWith("limits.hugepages-");
    if (ofFile && selector.at("containerName").isEmpty()) {
      selector.at("containerName").required();
    } else if (!resource.requireAny() && !pages) {
      resource.oneOf(RESOURCES);
    }
    divisor(selector.at("divisor"), name, pages);
  }

  private static void divisor(FieldValue divisor, String resource, boolean pages) {
    if (Quantities.exact(divisor.json()).signum() == 0) {
      return;
    }
    String shown = Quantities.canonical(divisor.json());
    String quoted = GoText.quoted(resource);
    if (resource.endsWith(".cpu")) {
      if (!CPU_DIVISORS.contains(shown)) {
        divisor.invalid(
            quoted, "only divisor's values 1m and 1 are supported with the cpu resource");
      }
    } else if (!DIVISORS.contains(shown)) {
      if (resource.endsWith(".memory")) {
        divisor.invalid(quoted, ONLY.formatted("memory"));
      } else if (resource.endsWith(".ephemeral-storage")) {
        divisor.invalid(quoted, ONLY.formatted("local ephemeral storage"));
      } else if (pages) {
        divisor.invalid(quoted, ONLY.formatted("hugepages"));
      }
    }
  }
}
