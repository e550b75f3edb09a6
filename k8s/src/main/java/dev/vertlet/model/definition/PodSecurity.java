package dev.vertlet.model.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The security context of a pod.
 *
 * @param common the settings that containers inherit
 * @param fsGroup group that owns the files of volumes; null for none
 * @param fsGroupChangePolicy {@code Always}, {@code OnRootMismatch} or empty
 * @param supplementalGroups further groups of all processes
 * @param supplementalGroupsPolicy {@code Merge}, {@code Strict} or empty
 * @param sysctls in order
 */
public record PodSecurity(
    ContainerSecurity common,
    @Nullable Long fsGroup,
    String fsGroupChangePolicy,
    List<Long> supplementalGroups,
    String supplementalGroupsPolicy,
    List<Sysctl> sysctls) {
  /** One kernel setting. */
  public record Sysctl(String name, String value) {}

  public PodSecurity {
    supplementalGroups = List.copyOf(supplementalGroups);
    sysctls = List.copyOf(sysctls);
  }
}
