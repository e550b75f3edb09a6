package dev.vertlet.cri.sandbox;

import dev.vertlet.cri.wire.CommonMessages.Int64Value;
import dev.vertlet.cri.wire.CommonMessages.ProfileType;
import dev.vertlet.cri.wire.CommonMessages.Protocol;
import dev.vertlet.cri.wire.CommonMessages.SELinuxOption;
import dev.vertlet.cri.wire.CommonMessages.SecurityProfile;
import dev.vertlet.cri.wire.CommonMessages.SupplementalGroupsPolicy;
import dev.vertlet.cri.wire.SandboxMessages.DNSConfig;
import dev.vertlet.cri.wire.SandboxMessages.LinuxPodSandboxConfig;
import dev.vertlet.cri.wire.SandboxMessages.LinuxSandboxSecurityContext;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxConfig;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxMetadata;
import dev.vertlet.cri.wire.SandboxMessages.PortMapping;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.definition.ContainerDefinition;
import dev.vertlet.model.definition.ContainerDefinition.Port;
import dev.vertlet.model.definition.ContainerSecurity;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.definition.PodSecurity;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.SandboxConfig;
import dev.vertlet.provider.container.SandboxStart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes the configuration of a sandbox, field by field as a kubelet does.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/kuberuntime_sandbox.go">
 *     generatePodSandboxConfig, kubelet 1.36.3</a>
 */
public final class SandboxConfigs {
  private final PodMarks marks;
  private final LogPaths logs;

  /**
   * @param logs where the pods' logs are
   */
  public SandboxConfigs(PodMarks marks, LogPaths logs) {
    this.marks = marks;
    this.logs = logs;
  }

  /**
   * Returns the configuration of a pod's sandbox.
   *
   * @param cgroupParent the pod's cgroup; empty for the runtime's default
   * @throws IllegalArgumentException for a pod that cannot be configured, with a kubelet's message
   */
  public PodSandboxConfig of(SandboxStart start, String cgroupParent) {
    return of(start.pod(), start.definition(), start.attempt(), start.config(), cgroupParent);
  }

  /** Returns the configuration that {@link #of} gives without the start. */
  public PodSandboxConfig of(
      PodView pod,
      PodDefinition definition,
      int attempt,
      @Nullable SandboxConfig config,
      String cgroupParent) {
    if (!definition.hostUsers()) {
      throw new IllegalArgumentException(
          "can't set `spec.hostUsers: false`, runtime does not support user namespaces");
    }
    Path directory = logs.pod(pod.ref());
    return new PodSandboxConfig(
        new PodSandboxMetadata(pod.name(), pod.uid(), pod.namespace(), attempt),
        definition.hostNetwork() || config == null ? "" : config.nodename(),
        directory.toString(),
        config == null
            ? null
            : new DNSConfig(config.nameservers(), config.searches(), config.options()),
        ports(pod, definition),
        marks.addTo(PodLabels.sandbox(pod), pod.nodeName()),
        pod.annotations(),
        new LinuxPodSandboxConfig(
            cgroupParent,
            security(definition, config == null ? List.of() : config.supplementalGroups()),
            sysctls(definition.security()),
            LinuxResources.overhead(pod),
            LinuxResources.pod(pod)));
  }

  /** Groups of a sandbox beyond those that its pod names: those of the pod's volumes. */
  public static List<Long> furtherGroups(PodSandboxConfig config, PodDefinition pod) {
    LinuxSandboxSecurityContext context =
        config.linux() == null ? null : config.linux().securityContext();
    List<Long> groups = new ArrayList<>(context == null ? List.of() : context.supplementalGroups());
    groups.removeAll(pod.security().supplementalGroups());
    groups.remove(pod.security().fsGroup());
    return groups;
  }

  /** Ports of the regular containers, each name once in a container. */
  private static List<PortMapping> ports(PodView pod, PodDefinition definition) {
    List<PortMapping> mappings = new ArrayList<>();
    for (ContainerView container : pod.spec().containers()) {
      Set<String> names = new HashSet<>();
      for (Port port : definition.container(container.name()).ports()) {
        if (names.add(key(port))) {
          mappings.add(
              new PortMapping(
                  protocol(port.protocol()), port.containerPort(), port.hostPort(), port.hostIp()));
        }
      }
    }
    return mappings;
  }

  private static String key(Port port) {
    String family = port.hostIp().isEmpty() ? "any" : port.hostIp().indexOf(':') >= 0 ? "v6" : "v4";
    return port.name().isEmpty()
        ? "%s-%s-%s:%d:%d"
            .formatted(
                family, port.protocol(), port.hostIp(), port.containerPort(), port.hostPort())
        : port.name();
  }

  private static Protocol protocol(String name) {
    return switch (name) {
      case "UDP" -> Protocol.UDP;
      case "SCTP" -> Protocol.SCTP;
      default -> Protocol.TCP;
    };
  }

  private static Map<String, String> sysctls(PodSecurity security) {
    Map<String, String> values = new TreeMap<>();
    security.sysctls().forEach(sysctl -> values.put(sysctl.name(), sysctl.value()));
    return values;
  }

  private static LinuxSandboxSecurityContext security(
      PodDefinition definition, List<Long> furtherGroups) {
    PodSecurity pod = definition.security();
    ContainerSecurity common = pod.common();
    List<Long> groups = new ArrayList<>();
    if (pod.fsGroup() != null) {
      groups.add(pod.fsGroup());
    }
    groups.addAll(furtherGroups);
    groups.addAll(pod.supplementalGroups());
    return new LinuxSandboxSecurityContext(
        Namespaces.of(definition),
        seLinux(common.seLinux()),
        value(common.runAsUser()),
        value(common.runAsGroup()),
        false,
        groups,
        policy(pod.supplementalGroupsPolicy()),
        definition.containers().values().stream()
            .map(ContainerDefinition::security)
            .anyMatch(ContainerSecurity::privileged),
        // the pause process needs nothing, whatever the pod's own profile is
        new SecurityProfile(ProfileType.RuntimeDefault, ""),
        null);
  }

  /** Wraps a number that may be unset. */
  public static @Nullable Int64Value value(@Nullable Long number) {
    return number == null ? null : new Int64Value(number);
  }

  /** Converts SELinux labels. */
  public static @Nullable SELinuxOption seLinux(ContainerSecurity.@Nullable SeLinux labels) {
    return labels == null
        ? null
        : new SELinuxOption(labels.user(), labels.role(), labels.type(), labels.level());
  }

  /**
   * Converts a policy.
   *
   * @throws IllegalArgumentException for an unknown one
   */
  public static SupplementalGroupsPolicy policy(String name) {
    return switch (name) {
      case "", "Merge" -> SupplementalGroupsPolicy.Merge;
      case "Strict" -> SupplementalGroupsPolicy.Strict;
      default ->
          throw new IllegalArgumentException("unsupported supplementalGroupsPolicy: " + name);
    };
  }
}
