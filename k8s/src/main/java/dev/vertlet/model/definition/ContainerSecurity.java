package dev.vertlet.model.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Effective security context of a container: its own settings, else those of its pod.
 *
 * @param runAsUser user id; null for the image's user
 * @param runAsGroup primary group id; null for the runtime's default
 * @param runAsNonRoot whether user 0 is refused; null if unset
 * @param privileged whether the container has all rights of its node
 * @param allowPrivilegeEscalation null if unset
 * @param readOnlyRootFilesystem whether its root file system is read-only
 * @param procMount {@code Default}, {@code Unmasked} or empty
 * @param addedCapabilities without the prefix {@code CAP_}, as written
 * @param droppedCapabilities as written; {@code ALL} for all
 * @param seLinux labels; null if unset
 * @param seccomp null if unset
 * @param appArmor null if unset
 */
public record ContainerSecurity(
    @Nullable Long runAsUser,
    @Nullable Long runAsGroup,
    @Nullable Boolean runAsNonRoot,
    boolean privileged,
    @Nullable Boolean allowPrivilegeEscalation,
    boolean readOnlyRootFilesystem,
    String procMount,
    List<String> addedCapabilities,
    List<String> droppedCapabilities,
    @Nullable SeLinux seLinux,
    @Nullable Profile seccomp,
    @Nullable Profile appArmor) {
  /** SELinux labels, each empty if unset. */
  public record SeLinux(String user, String role, String type, String level) {}

  /**
   * A seccomp or AppArmor profile.
   *
   * @param type {@code RuntimeDefault}, {@code Unconfined} or {@code Localhost}
   * @param localhostProfile name of the profile, for type {@code Localhost} only; otherwise empty
   */
  public record Profile(String type, String localhostProfile) {}

  public ContainerSecurity {
    addedCapabilities = List.copyOf(addedCapabilities);
    droppedCapabilities = List.copyOf(droppedCapabilities);
  }

  /** Returns these settings of a container, completed by those of its pod. */
  ContainerSecurity over(ContainerSecurity pod) {
    return new ContainerSecurity(
        runAsUser == null ? pod.runAsUser : runAsUser,
        runAsGroup == null ? pod.runAsGroup : runAsGroup,
        runAsNonRoot == null ? pod.runAsNonRoot : runAsNonRoot,
        privileged,
        allowPrivilegeEscalation,
        readOnlyRootFilesystem,
        procMount,
        addedCapabilities,
        droppedCapabilities,
        seLinux == null ? pod.seLinux : seLinux,
        seccomp == null ? pod.seccomp : seccomp,
        appArmor == null ? pod.appArmor : appArmor);
  }
}
