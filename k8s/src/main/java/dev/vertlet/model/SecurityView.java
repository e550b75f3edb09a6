package dev.vertlet.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pod's security contexts ask of its node.
 *
 * @param sysctls names of the parameters that it sets, as they are written
 * @param hostIpc whether it is in the IPC namespace of its node
 * @param strictGroups whether its processes have no other groups than those that it names
 * @param appArmor whether a container of it is confined by AppArmor
 */
public record SecurityView(
    List<String> sysctls, boolean hostIpc, boolean strictGroups, boolean appArmor) {
  /** Asks for nothing. */
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
