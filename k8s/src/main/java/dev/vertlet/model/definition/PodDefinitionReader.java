package dev.vertlet.model.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.JsonTreeDecoder;
import dev.vertlet.model.definition.PodSecurity.Sysctl;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads pod definitions with the tree model: they are read for starts only, which are rare beside
 * the events that {@link dev.vertlet.model.wire.PodDecoder} reads.
 */
final class PodDefinitionReader {
  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
  private static final String RUNTIME_DEFAULT = "runtime/default";
  private static final String LOCALHOST = "localhost/";

  private PodDefinitionReader() {}

  static PodDefinition read(Buffer json) {
    JsonNode pod = JsonTreeDecoder.tree(json);
    JsonNode spec = pod.path("spec");
    if (!spec.isObject()) {
      throw new DecodeException("a pod must have a spec");
    }
    PodSecurity security = security(spec.path("securityContext"));
    Map<String, ContainerDefinition> containers = new HashMap<>();
    for (String field : List.of("initContainers", "containers", "ephemeralContainers")) {
      for (JsonNode container : spec.path(field)) {
        ContainerDefinition read =
            ContainerDefinitionReader.read(
                container, security.common(), appArmor(pod, text(container, "name")));
        containers.put(read.name(), read);
      }
    }
    List<VolumeDefinition> volumes = new ArrayList<>();
    spec.path("volumes").forEach(volume -> volumes.add(VolumeDefinitionReader.read(volume)));
    return new PodDefinition(
        json,
        security,
        flag(spec, "hostNetwork", false),
        flag(spec, "hostPID", false),
        flag(spec, "hostIPC", false),
        flag(spec, "hostUsers", true),
        flag(spec, "shareProcessNamespace", false),
        text(spec, "runtimeClassName"),
        pullSecrets(spec),
        volumes,
        containers);
  }

  private static List<String> pullSecrets(JsonNode spec) {
    List<String> names = new ArrayList<>();
    for (JsonNode secret : spec.path("imagePullSecrets")) {
      String name = text(secret, "name");
      if (!name.isEmpty()) {
        names.add(name);
      }
    }
    return names;
  }

  /** Returns the profile of the annotation that preceded the field; null without one. */
  private static ContainerSecurity.@Nullable Profile appArmor(JsonNode pod, String container) {
    String value = text(pod.path("metadata").path("annotations"), APP_ARMOR + container);
    if (value.isEmpty()) {
      return null;
    }
    return value.startsWith(LOCALHOST)
        ? new ContainerSecurity.Profile("Localhost", value.substring(LOCALHOST.length()))
        : new ContainerSecurity.Profile(
            value.equals(RUNTIME_DEFAULT) ? "RuntimeDefault" : "Unconfined", "");
  }

  private static PodSecurity security(JsonNode context) {
    List<Long> groups = new ArrayList<>();
    context.path("supplementalGroups").forEach(group -> groups.add(group.asLong()));
    List<Sysctl> sysctls = new ArrayList<>();
    context
        .path("sysctls")
        .forEach(one -> sysctls.add(new Sysctl(text(one, "name"), text(one, "value"))));
    return new PodSecurity(
        ContainerDefinitionReader.security(context, null),
        number(context, "fsGroup"),
        text(context, "fsGroupChangePolicy"),
        groups,
        text(context, "supplementalGroupsPolicy"),
        sysctls);
  }

  static String text(JsonNode object, String field) {
    return object.path(field).asText("");
  }

  static boolean flag(JsonNode object, String field, boolean otherwise) {
    return object.path(field).asBoolean(otherwise);
  }

  static @Nullable Long number(JsonNode object, String field) {
    JsonNode value = object.path(field);
    return value.isNumber() ? value.asLong() : null;
  }

  static @Nullable Integer mode(JsonNode object, String field) {
    JsonNode value = object.path(field);
    return value.isNumber() ? value.asInt() : null;
  }
}
