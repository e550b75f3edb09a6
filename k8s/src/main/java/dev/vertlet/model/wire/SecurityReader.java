package dev.vertlet.model.wire;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.SecurityView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a pod's security contexts. Most have no requirements on the node. */
final class SecurityReader {
  private static final Fields POD =
      Fields.of(
          "2 runAsUser",
          "3 runAsNonRoot",
          "4 supplementalGroups",
          "5 fsGroup",
          "6 runAsGroup",
          "7 sysctls",
          "11 appArmorProfile",
          "12 supplementalGroupsPolicy");
  private static final Fields CONTAINER =
      Fields.of("4 runAsUser", "5 runAsNonRoot", "8 runAsGroup", "12 appArmorProfile");
  private static final Fields SYSCTL = Fields.of("1 name");
  private static final Fields PROFILE = Fields.of("1 type");
  private static final String STRICT = "Strict";
  private static final String UNCONFINED = "Unconfined";

  private List<String> sysctls = List.of();
  private boolean hostIpc;
  private boolean strictGroups;
  private boolean appArmor;
  private @Nullable UserReader users;

  /** Reads the {@code securityContext} of the pod. */
  void pod(ObjectReader in) {
    in.enter();
    while (in.next(POD)) {
      switch (in.field()) {
        case "sysctls" -> {
          sysctls = sysctls.isEmpty() ? new ArrayList<>(1) : sysctls;
          sysctls.add(only(in, SYSCTL));
        }
        case "supplementalGroupsPolicy" -> strictGroups = in.shared().equals(STRICT);
        case "appArmorProfile" -> profile(in);
        case "supplementalGroups", "fsGroup" -> users().group(in);
        default -> users().pod(in);
      }
    }
  }

  /** Reads the {@code securityContext} of a container. */
  void container(ObjectReader in) {
    in.enter();
    while (in.next(CONTAINER)) {
      if (in.field().equals("appArmorProfile")) {
        profile(in);
      } else {
        users().container(in);
      }
    }
  }

  private UserReader users() {
    UserReader known = users == null ? new UserReader() : users;
    users = known;
    return known;
  }

  /** Ends the container whose security context was read last. */
  void containerEnds(String name) {
    if (users != null) {
      users.ends(name);
    }
  }

  /** Sets the users of the containers, once the whole pod has been read. */
  void addUsers(List<ContainerView> containers) {
    if (users != null) {
      containers.replaceAll(users::withUser);
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
