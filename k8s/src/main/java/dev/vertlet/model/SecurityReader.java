package dev.vertlet.model;

import java.util.ArrayList;
import java.util.List;

/** Collects what a pod's security contexts ask of its node. Most ask for nothing. */
final class SecurityReader {
  private static final Fields POD =
      Fields.of("7 sysctls", "11 appArmorProfile", "12 supplementalGroupsPolicy");
  private static final Fields CONTAINER = Fields.of("12 appArmorProfile");
  private static final Fields SYSCTL = Fields.of("1 name");
  private static final Fields PROFILE = Fields.of("1 type");
  private static final String STRICT = "Strict";
  private static final String UNCONFINED = "Unconfined";

  private List<String> sysctls = List.of();
  private boolean hostIpc;
  private boolean strictGroups;
  private boolean appArmor;

  /** {@code securityContext} of the pod. */
  void pod(ObjectReader in) {
    in.enter();
    while (in.next(POD)) {
      switch (in.field()) {
        case "sysctls" -> {
          sysctls = sysctls.isEmpty() ? new ArrayList<>(1) : sysctls;
          sysctls.add(only(in, SYSCTL));
        }
        case "supplementalGroupsPolicy" -> strictGroups = in.shared().equals(STRICT);
        default -> profile(in);
      }
    }
  }

  /** {@code securityContext} of a container. */
  void container(ObjectReader in) {
    in.enter();
    while (in.next(CONTAINER)) {
      profile(in);
    }
  }

  void hostIpc(ObjectReader in) {
    hostIpc = in.flag();
  }

  private void profile(ObjectReader in) {
    appArmor |= !only(in, PROFILE).equals(UNCONFINED);
  }

  private static String only(ObjectReader in, Fields field) {
    String text = "";
    in.enter();
    while (in.next(field)) {
      text = in.shared();
    }
    return text;
  }

  SecurityView view() {
    return sysctls.isEmpty() && !hostIpc && !strictGroups && !appArmor
        ? SecurityView.NONE
        : new SecurityView(sysctls, hostIpc, strictGroups, appArmor);
  }
}
