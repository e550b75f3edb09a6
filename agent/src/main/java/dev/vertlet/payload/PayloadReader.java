package dev.vertlet.payload;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.manifest.ManifestException;
import dev.vertlet.manifest.ManifestText;
import dev.vertlet.payload.PayloadException.Reason;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decodes payloads, JSON or YAML. A KubeletConfiguration is read as a kubelet reads it: what it
 * does not know, and all but the last of equal keys, is dropped with a warning. A
 * VertletConfiguration is read strictly.
 */
public final class PayloadReader {
  private static final String KUBELET = "kubelet.config.k8s.io/v1beta1, Kind=KubeletConfiguration";
  private static final String VERTLET = "vertlet.dev/v1alpha1, Kind=VertletConfiguration";

  /** What each section but the first may hold; what a kubelet has a name for stands there. */
  private static final Map<String, List<String>> SECTIONS =
      Map.of(
          "kubelet",
          List.of(),
          "node",
          List.of(
              "labels",
              "annotations",
              "taints",
              "capacity",
              "addresses",
              "operatingSystem",
              "architecture"),
          "provider",
          List.of("simulated", "settings"),
          "agent",
          List.of("profile", "shards", "shutdownTimeout", "drainOnShutdown", "containerLogsDir"));

  /** Beginnings of the paths of fields: what stands there is an object. */
  private static final Set<List<String>> INNER = inner();

  private final Path directory;
  private final List<String> warnings = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  /** What a section but the first may hold. */
  static List<String> known(String section) {
    return SECTIONS.getOrDefault(section, List.of());
  }

  private PayloadReader(Path directory) {
    this.directory = directory;
  }

  /**
   * @param text the value under the source's key
   * @param directory where relative files are
   * @throws PayloadException with {@link Reason#LOAD}
   */
  public static Payload read(String text, Path directory) {
    return new PayloadReader(directory).read(text);
  }

  private Payload read(String text) {
    JsonObject json = parse(text);
    Object apiVersion = json.remove("apiVersion");
    Object kind = json.remove("kind");
    String type = apiVersion + ", Kind=" + kind;
    if (type.equals(KUBELET)) {
      return done(new Payload(fields(json, "", false), null, "", warnings));
    }
    if (type.equals(VERTLET)) {
      return done(vertlet(json));
    }
    throw refused("is " + type + "; must be " + KUBELET + ", or " + VERTLET);
  }

  private Payload done(Payload payload) {
    if (!problems.isEmpty()) {
      throw new PayloadException(Reason.LOAD, problems);
    }
    return payload;
  }

  private static PayloadException refused(String problem) {
    return new PayloadException(Reason.LOAD, List.of(problem));
  }

  private JsonObject parse(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    try {
      return json(ManifestText.object(bytes));
    } catch (ManifestException strict) {
      try {
        JsonObject json = json(ManifestText.object(bytes, true));
        if (String.valueOf(json.getValue("kind")).equals("VertletConfiguration")) {
          throw refused(String.valueOf(strict.getMessage()));
        }
        warnings.add("equal keys, of which the last one counts: " + strict.getMessage());
        return json;
      } catch (ManifestException e) {
        throw refused(String.valueOf(e.getMessage()));
      }
    }
  }

  private static JsonObject json(ObjectNode object) {
    return new JsonObject(object.toString());
  }

  private Payload vertlet(JsonObject json) {
    for (String key : json.fieldNames()) {
      if (!SECTIONS.containsKey(key)) {
        problems.add("/" + key + ": unknown key; must be one of kubelet, node, provider, agent");
      }
    }
    return new Payload(
        fields(section(json, "kubelet"), "/kubelet", true),
        new Payload.Sections(
            checked(json, "node"), checked(json, "provider"), checked(json, "agent")),
        "/kubelet",
        warnings);
  }

  private JsonObject checked(JsonObject json, String name) {
    JsonObject section = section(json, name);
    List<String> known = known(name);
    for (String key : section.fieldNames()) {
      if (!known.contains(key)) {
        problems.add(
            "/%s/%s: unknown key; must be one of %s"
                .formatted(name, key, String.join(", ", known)));
      }
    }
    return section;
  }

  private JsonObject section(JsonObject json, String name) {
    Object value = json.getValue(name);
    if (value instanceof JsonObject object) {
      return object;
    }
    if (value != null) {
      problems.add("/" + name + ": must be an object");
    }
    return new JsonObject();
  }

  private Map<KubeletField, Object> fields(JsonObject json, String prefix, boolean strict) {
    Map<List<String>, Object> found = new LinkedHashMap<>();
    collect(json, List.of(), prefix, strict, found);
    Map<KubeletField, Object> inOrder = new LinkedHashMap<>();
    KubeletFields.all()
        .forEach(
            (path, field) -> {
              Object value = found.get(path);
              if (value != null) {
                inOrder.put(field, value);
              }
            });
    return inOrder;
  }

  private void collect(
      JsonObject json,
      List<String> parent,
      String prefix,
      boolean strict,
      Map<List<String>, Object> found) {
    for (Map.Entry<String, Object> entry : json) {
      List<String> path = new ArrayList<>(parent);
      path.add(entry.getKey());
      Object value = entry.getValue();
      String pointer = prefix + "/" + String.join("/", path);
      KubeletField field = KubeletFields.all().get(path);
      boolean inner = INNER.contains(path);
      if (field == null && !inner) {
        (strict ? problems : warnings).add(pointer + ": unknown field");
      } else if (value == null) {
        continue; // as if it were not there
      } else if (field != null) {
        leaf(field, value, pointer, found);
      } else if (value instanceof JsonObject object) {
        collect(object, path, prefix, strict, found);
      } else {
        problems.add(pointer + ": must be an object");
      }
    }
  }

  private void leaf(
      KubeletField field, Object value, String pointer, Map<List<String>, Object> found) {
    if (!field.type().fits(value)) {
      problems.add(pointer + ": must be " + field.type().allowed());
    } else if (!field.type().absent(value)) {
      boolean relative = field.type() == Type.FILE && !((String) value).startsWith("/");
      found.put(field.path(), relative ? directory.resolve((String) value).toString() : value);
    }
  }

  private static Set<List<String>> inner() {
    Set<List<String>> inner = new HashSet<>();
    for (List<String> path : KubeletFields.all().keySet()) {
      for (int length = 1; length < path.size(); length++) {
        inner.add(path.subList(0, length));
      }
    }
    return inner;
  }
}
