package dev.vertlet.model.pod;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requirements of a pod's security contexts on its node.
 *
 * @param sysctls names of its sysctls, as written
 * @param hostIpc whether the pod shares the IPC namespace of its node
 * @param strictGroups whether its processes have only the groups that the pod names
 * @param appArmor whether AppArmor confines one of its containers
 */
public record SecurityView(
    List<String> sysctls, boolean hostIpc, boolean strictGroups, boolean appArmor) {
  /** No requirements. */
  public static final SecurityView NONE = new SecurityView(List.of(), false, false, false);

  public SecurityView {
    sysctls = List.copyOf(sysctls);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof SecurityView that
            && sysctls.equals(that.sysctls)
            && hostIpc == that.hostIpc
            && strictGroups == that.strictGroups
            && appArmor == that.appArmor;
  }

  @Override
  public int hashCode() {
    int hash = sysctls.hashCode();
    hash = 31 * hash + Boolean.hashCode(hostIpc);
    hash = 31 * hash + Boolean.hashCode(strictGroups);
    return 31 * hash + Boolean.hashCode(appArmor);
  }
}
