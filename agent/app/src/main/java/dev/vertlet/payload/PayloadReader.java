package dev.vertlet.payload;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kubeletconfig.KubeletField;
import dev.vertlet.kubeletconfig.KubeletValues;
import dev.vertlet.kubeletconfig.Type;
import dev.vertlet.manifest.ManifestException;
import dev.vertlet.manifest.ManifestText;
import dev.vertlet.payload.PayloadException.Reason;
import dev.vertlet.problem.OneLine;
import dev.vertlet.problem.Problem;
import io.vertx.core.json.JsonObject;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decodes payloads in JSON or YAML. A KubeletConfiguration is decoded as a kubelet does: unknown
 * fields, and all but the last of equal keys, are dropped with a warning. A VertletConfiguration is
 * decoded strictly.
 */
public final class PayloadReader {
  private static final String KUBELET = "kubelet.config.k8s.io/v1beta1, Kind=KubeletConfiguration";
  private static final String VERTLET = "vertlet.dev/v1alpha1, Kind=VertletConfiguration";

  /** Keys of each section but the first; values with a kubelet field belong in {@code kubelet}. */
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

  private final Path directory;
  private final List<String> warnings = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  /** Returns the keys of a section other than the first. */
  static List<String> known(String section) {
    return SECTIONS.getOrDefault(section, List.of());
  }

  private PayloadReader(Path directory) {
    this.directory = directory;
  }

  /**
   * Decodes a payload.
   *
   * @param text value of the source's key
   * @param directory base of relative paths
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
      return done(new Payload(fields(json, "", false), null, "", OneLine.first(warnings)));
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
        OneLine.first(warnings));
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
    KubeletValues values = KubeletValues.read(json);
    for (List<String> path : values.unknown()) {
      (strict ? problems : warnings).add(prefix + "/" + String.join("/", path) + ": unknown field");
    }
    for (Problem wrong : values.wrong()) {
      problems.add(prefix + wrong.pointer() + ": " + wrong.allowed());
    }
    Map<KubeletField, Object> resolved = new LinkedHashMap<>();
    values
        .set()
        .forEach(
            (field, value) ->
                resolved.put(
                    field, field.type() == Type.FILE ? file(field, prefix, value) : value));
    return resolved;
  }

  private Object file(KubeletField field, String prefix, Object value) {
    try {
      return directory.resolve((String) value).toString();
    } catch (InvalidPathException e) {
      problems.add(field.pointer(prefix) + ": must be a path of characters that file names have");
      return value;
    }
  }
}
