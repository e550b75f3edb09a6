package dev.vertlet.cri.container;

import dev.vertlet.cri.sandbox.Namespaces;
import dev.vertlet.cri.sandbox.SandboxConfigs;
import dev.vertlet.cri.wire.CommonMessages.NamespaceMode;
import dev.vertlet.cri.wire.CommonMessages.NamespaceOption;
import dev.vertlet.cri.wire.CommonMessages.ProfileType;
import dev.vertlet.cri.wire.CommonMessages.SecurityProfile;
import dev.vertlet.cri.wire.ContainerMessages.Capability;
import dev.vertlet.cri.wire.ContainerMessages.LinuxContainerSecurityContext;
import dev.vertlet.model.definition.ContainerSecurity;
import dev.vertlet.model.definition.ContainerSecurity.Profile;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.definition.PodSecurity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the security context of a container.
 *
 * @param paths of this host
 * @param seccompDirectory where local seccomp profiles are
 * @param seccompDefault whether containers without a profile get the runtime's
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/security_context.go">
 *     determineEffectiveSecurityContext, kubelet 1.36.3</a>
 */
record SecurityContexts(MaskedPaths paths, Path seccompDirectory, boolean seccompDefault) {
  /** Names of AppArmor profiles for runtimes that do not know the newer field. */
  private static final String APP_ARMOR_DEFAULT = "runtime/default";

  private static final String APP_ARMOR_NONE = "unconfined";
  private static final String APP_ARMOR_LOCAL = "localhost/";

  /**
   * Returns the context.
   *
   * @param image user of the image
   * @param furtherGroups of the pod's volumes
   * @param target id of the container whose processes an ephemeral container sees; null for none
   * @throws IllegalArgumentException for settings that cannot be converted
   */
  LinuxContainerSecurityContext of(
      PodDefinition pod,
      ContainerSecurity security,
      ImageUser image,
      List<Long> furtherGroups,
      @Nullable String target) {
    MaskedPaths masked = paths.of(security.procMount());
    Profile appArmor = security.appArmor();
    Long user = security.runAsUser() == null ? image.uid() : security.runAsUser();
    return new LinuxContainerSecurityContext(
        capabilities(security),
        security.privileged(),
        namespaces(pod, target),
        SandboxConfigs.seLinux(security.seLinux()),
        SandboxConfigs.value(user),
        SandboxConfigs.value(security.runAsGroup()),
        security.runAsUser() == null ? image.name() : "",
        security.readOnlyRootFilesystem(),
        groups(pod.security(), furtherGroups),
        SandboxConfigs.policy(pod.security().supplementalGroupsPolicy()),
        Boolean.FALSE.equals(security.allowPrivilegeEscalation()),
        masked.masked(),
        masked.readOnly(),
        seccomp(security.seccomp()),
        appArmor == null ? null : appArmor(appArmor),
        appArmor == null ? "" : appArmorName(appArmor));
  }

  private static @Nullable Capability capabilities(ContainerSecurity security) {
    return security.addedCapabilities().isEmpty() && security.droppedCapabilities().isEmpty()
        ? null
        : new Capability(security.addedCapabilities(), security.droppedCapabilities(), List.of());
  }

  private static NamespaceOption namespaces(PodDefinition pod, @Nullable String target) {
    NamespaceOption own = Namespaces.of(pod);
    return target == null || own.pid() != NamespaceMode.CONTAINER
        ? own
        : new NamespaceOption(
            own.network(), NamespaceMode.TARGET, own.ipc(), target, own.usernsOptions());
  }

  private static List<Long> groups(PodSecurity pod, List<Long> further) {
    List<Long> groups = new ArrayList<>();
    if (pod.fsGroup() != null) {
      groups.add(pod.fsGroup());
    }
    groups.addAll(pod.supplementalGroups());
    groups.addAll(further);
    return groups;
  }

  private SecurityProfile seccomp(@Nullable Profile profile) {
    if (profile == null) {
      return new SecurityProfile(
          seccompDefault ? ProfileType.RuntimeDefault : ProfileType.Unconfined, "");
    }
    return switch (profile.type()) {
      case "RuntimeDefault" -> new SecurityProfile(ProfileType.RuntimeDefault, "");
      case "Localhost" -> {
        if (profile.localhostProfile().isEmpty()) {
          throw new IllegalArgumentException(
              "localhostProfile must be set if seccompProfile type is Localhost.");
        }
        yield new SecurityProfile(
            ProfileType.Localhost,
            seccompDirectory.resolve(profile.localhostProfile()).normalize().toString());
      }
      default -> new SecurityProfile(ProfileType.Unconfined, "");
    };
  }

  private static SecurityProfile appArmor(Profile profile) {
    return switch (profile.type()) {
      case "RuntimeDefault" -> new SecurityProfile(ProfileType.RuntimeDefault, "");
      case "Unconfined" -> new SecurityProfile(ProfileType.Unconfined, "");
      case "Localhost" -> {
        if (profile.localhostProfile().isEmpty()) {
          throw new IllegalArgumentException("missing localhost apparmor profile name");
        }
        yield new SecurityProfile(ProfileType.Localhost, profile.localhostProfile());
      }
      default ->
          throw new IllegalArgumentException(
              "unknown apparmor profile type: \"" + profile.type() + "\"");
    };
  }

  private static String appArmorName(Profile profile) {
    return switch (profile.type()) {
      case "RuntimeDefault" -> APP_ARMOR_DEFAULT;
      case "Unconfined" -> APP_ARMOR_NONE;
      default -> APP_ARMOR_LOCAL + profile.localhostProfile();
    };
  }
}
