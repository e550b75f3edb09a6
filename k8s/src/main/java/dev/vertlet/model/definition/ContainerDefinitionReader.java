package dev.vertlet.model.definition;

import static dev.vertlet.model.definition.PodDefinitionReader.flag;
import static dev.vertlet.model.definition.PodDefinitionReader.number;
import static dev.vertlet.model.definition.PodDefinitionReader.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.definition.ContainerDefinition.Mount;
import dev.vertlet.model.definition.ContainerDefinition.Port;
import dev.vertlet.model.definition.ContainerSecurity.Profile;
import dev.vertlet.model.definition.ContainerSecurity.SeLinux;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one container of a {@link PodDefinition}. */
final class ContainerDefinitionReader {
  private ContainerDefinitionReader() {}

  /**
   * Reads a container.
   *
   * @param common settings of its pod
   * @param appArmor profile of the container's annotation; null without one
   */
  static ContainerDefinition read(
      JsonNode container, ContainerSecurity common, @Nullable Profile appArmor) {
    List<Port> ports = new ArrayList<>();
    container.path("ports").forEach(port -> ports.add(port(port)));
    List<Mount> mounts = new ArrayList<>();
    container.path("volumeMounts").forEach(mount -> mounts.add(mount(mount)));
    List<String> devices = new ArrayList<>();
    container.path("volumeDevices").forEach(device -> devices.add(text(device, "name")));
    container.path("resources").path("claims").forEach(claim -> devices.add(text(claim, "name")));
    return new ContainerDefinition(
        text(container, "name"),
        ports,
        mounts,
        devices,
        security(container.path("securityContext"), appArmor).over(common),
        text(container, "workingDir"),
        flag(container, "stdin", false),
        flag(container, "stdinOnce", false),
        flag(container, "tty", false),
        text(container, "terminationMessagePath"));
  }

  private static Port port(JsonNode port) {
    return new Port(
        text(port, "name"),
        port.path("containerPort").asInt(),
        port.path("hostPort").asInt(),
        port.path("protocol").asText("TCP"),
        text(port, "hostIP"));
  }

  private static Mount mount(JsonNode mount) {
    return new Mount(
        text(mount, "name"),
        text(mount, "mountPath"),
        flag(mount, "readOnly", false),
        text(mount, "recursiveReadOnly"),
        text(mount, "subPath"),
        text(mount, "subPathExpr"),
        text(mount, "mountPropagation"));
  }

  /**
   * Reads a security context of a container, or the part of a pod's that containers inherit.
   *
   * @param appArmor profile if the context names none
   */
  static ContainerSecurity security(JsonNode context, @Nullable Profile appArmor) {
    JsonNode capabilities = context.path("capabilities");
    JsonNode nonRoot = context.path("runAsNonRoot");
    JsonNode escalation = context.path("allowPrivilegeEscalation");
    Profile own = profile(context.path("appArmorProfile"));
    return new ContainerSecurity(
        number(context, "runAsUser"),
        number(context, "runAsGroup"),
        nonRoot.isBoolean() ? nonRoot.asBoolean() : null,
        flag(context, "privileged", false),
        escalation.isBoolean() ? escalation.asBoolean() : null,
        flag(context, "readOnlyRootFilesystem", false),
        text(context, "procMount"),
        texts(capabilities.path("add")),
        texts(capabilities.path("drop")),
        seLinux(context.path("seLinuxOptions")),
        profile(context.path("seccompProfile")),
        own == null ? appArmor : own);
  }

  private static @Nullable SeLinux seLinux(JsonNode options) {
    return options.isObject()
        ? new SeLinux(
            text(options, "user"),
            text(options, "role"),
            text(options, "type"),
            text(options, "level"))
        : null;
  }

  private static @Nullable Profile profile(JsonNode profile) {
    return profile.isObject()
        ? new Profile(text(profile, "type"), text(profile, "localhostProfile"))
        : null;
  }

  private static List<String> texts(JsonNode array) {
    List<String> all = new ArrayList<>();
    array.forEach(value -> all.add(value.asText()));
    return all;
  }
}
