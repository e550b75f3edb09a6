package dev.vertlet.apiserver.validation;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Security contexts of a pod and its containers, and what they mean for each other. */
final class SecurityRules {
  private static final String SEGMENT = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
  private static final String SYSCTL = "([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*" + SEGMENT;
  private static final int SYSCTL_LENGTH = 253;

  /** The fields of the type in Go, for a message that shows it as a whole. */
  private static final String[] FIELDS = {
    "Capabilities?",
    "Privileged?",
    "SELinuxOptions?",
    "WindowsOptions?",
    "RunAsUser?",
    "RunAsGroup?",
    "RunAsNonRoot?",
    "ReadOnlyRootFilesystem?",
    "AllowPrivilegeEscalation?",
    "ProcMount?",
    "SeccompProfile?",
    "AppArmorProfile?"
  };

  private static final List<String> NOT_ON_WINDOWS_POD =
      List.of(
          "appArmorProfile",
          "seLinuxOptions",
          "seccompProfile",
          "fsGroup",
          "fsGroupChangePolicy",
          "sysctls",
          "runAsUser",
          "runAsGroup",
          "supplementalGroups",
          "supplementalGroupsPolicy",
          "seLinuxChangePolicy");

  private static final List<String> NOT_ON_WINDOWS_CONTAINER =
      List.of(
          "appArmorProfile",
          "seLinuxOptions",
          "seccompProfile",
          "capabilities",
          "readOnlyRootFilesystem",
          "privileged",
          "allowPrivilegeEscalation",
          "procMount",
          "runAsUser",
          "runAsGroup");

  private SecurityRules() {}

  static void ofPod(FieldValue spec) {
    FieldValue context = spec.at("securityContext");
    context.at("fsGroup").id();
    context.at("runAsUser").id();
    context.at("runAsGroup").id();
    context.at("supplementalGroups").items().forEach(FieldValue::id);
    if (spec.at("hostPID").isTrue() && spec.at("shareProcessNamespace").isTrue()) {
      context
          .at("shareProcessNamespace")
          .invalid("true", "ShareProcessNamespace and HostPID cannot both be enabled");
    }
    sysctls(spec, context.at("sysctls"));
    context.at("fsGroupChangePolicy").anyOneOf("Always", "OnRootMismatch");
    seccomp(context.at("seccompProfile"));
    appArmor(context.at("appArmorProfile"));
    context.at("supplementalGroupsPolicy").anyOneOf("Merge", "Strict");
    context.at("seLinuxChangePolicy").anyOneOf("MountOption", "Recursive");
  }

  private static void sysctls(FieldValue spec, FieldValue sysctls) {
    Set<String> names = new HashSet<>();
    for (FieldValue sysctl : sysctls.items()) {
      FieldValue name = sysctl.at("name");
      if (name.isEmpty()) {
        name.required();
      } else if (!isSysctl(name.text())) {
        name.invalid(
            "must have at most %d characters and match regex ^%s$"
                .formatted(SYSCTL_LENGTH, SYSCTL));
      } else if (names.contains(name.text())) {
        name.duplicate();
      }
      names.add(name.text());
      String dotted = name.text().replace('/', '.');
      if (spec.at("hostNetwork").isTrue() && dotted.startsWith("net.")) {
        name.invalid("may not be specified when 'hostNetwork' is true");
      } else if (spec.at("hostIPC").isTrue() && isOfIpc(dotted)) {
        name.invalid("may not be specified when 'hostIPC' is true");
      }
    }
  }

  private static boolean isSysctl(String name) {
    return name.length() <= SYSCTL_LENGTH && name.matches(SYSCTL);
  }

  private static boolean isOfIpc(String name) {
    return name.equals("kernel.sem")
        || name.startsWith("kernel.shm")
        || name.startsWith("kernel.msg")
        || name.startsWith("fs.mqueue.");
  }

  private static void seccomp(FieldValue profile) {
    if (!profile.isPresent()) {
      return;
    }
    if (profile.at("type").isEmpty()) {
      profile.at("type").required("type is required when seccompProfile is set");
    } else {
      profile.at("type").oneOf("Localhost", "RuntimeDefault", "Unconfined");
    }
    FieldValue local = profile.at("localhostProfile");
    if (!profile.at("type").is("Localhost")) {
      if (local.isPresent()) {
        local.invalid(
            GoText.struct(profile.json(), "Type", "LocalhostProfile?").toString(),
            "can only be set when seccomp type is Localhost");
      }
    } else if (!local.isPresent()) {
      local.required("must be set when seccomp type is Localhost");
    } else {
      local.check(Format.DESCENDING_PATH);
    }
  }

  private static void appArmor(FieldValue profile) {
    if (!profile.isPresent()) {
      return;
    }
    FieldValue type = profile.at("type");
    FieldValue local = profile.at("localhostProfile");
    if (type.is("Localhost")) {
      if (local.isEmpty() || local.text().isBlank()) {
        local.required("must be set when AppArmor type is Localhost");
      } else if (!local.text().strip().equals(local.text())) {
        local.invalid("must not be padded with whitespace");
      }
      if (local.text().length() > 4095) {
        local.tooLong(4095);
      }
    } else if (type.isEmpty()) {
      type.required("type is required when appArmorProfile is set");
    } else {
      type.oneOf("Localhost", "RuntimeDefault", "Unconfined");
      if (local.isPresent() && (type.is("RuntimeDefault") || type.is("Unconfined"))) {
        local.invalid("can only be set when AppArmor type is Localhost");
      }
    }
  }

  /**
   * @param hostUsers whether the container's users are those of the node
   */
  static void ofContainer(FieldValue context, boolean hostUsers) {
    if (!context.isPresent()) {
      return;
    }
    context.at("runAsUser").id();
    context.at("runAsGroup").id();
    FieldValue mount = context.at("procMount");
    mount.anyOneOf("Default", "Unmasked");
    if (hostUsers && mount.is("Unmasked")) {
      mount.invalid("`hostUsers` must be false to use `Unmasked`");
    }
    seccomp(context.at("seccompProfile"));
    if (context.at("allowPrivilegeEscalation").isFalse()) {
      String shown = GoText.struct(context.json(), FIELDS).toString();
      if (context.at("privileged").isTrue()) {
        context.invalid(
            shown, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
      }
      for (FieldValue capability : context.at("capabilities", "add").items()) {
        if (capability.is("CAP_SYS_ADMIN")) {
          context.invalid(
              shown,
              "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add`"
                  + " CAP_SYS_ADMIN");
        }
      }
    }
    appArmor(context.at("appArmorProfile"));
  }

  /** A pod whose users are not the node's shares little with it. */
  static void ofUserNamespace(FieldValue spec) {
    if (!spec.at("hostUsers").isFalse()) {
      return;
    }
    String why = "when `hostUsers` is false";
    if (spec.at("hostNetwork").isTrue()) {
      spec.at("hostNetwork").forbidden(why);
    }
    if (spec.at("hostPID").isTrue()) {
      spec.at("HostPID").forbidden(why);
    }
    if (spec.at("hostIPC").isTrue()) {
      spec.at("HostIPC").forbidden(why);
    }
    for (FieldValue container : PodRules.containers(spec)) {
      if (!container.at("volumeDevices").isEmpty()) {
        container.at("volumeDevices").forbidden(why);
      }
    }
  }

  /** Each operating system has options of its own. */
  static void ofSystem(FieldValue spec) {
    FieldValue os = spec.at("os");
    if (!os.isPresent()) {
      return;
    }
    if (os.at("name").requireAny()) {
      return;
    }
    switch (os.at("name").text()) {
      case "linux" -> {
        String why = "windows options cannot be set for a linux pod";
        spec.at("securityContext", "windowsOptions").forbidAny(why);
        PodRules.containers(spec)
            .forEach(each -> each.at("securityContext", "windowsOptions").forbidAny(why));
      }
      case "windows" -> onWindows(spec);
      default -> os.reporting(os.at("name")).oneOf("linux", "windows");
    }
  }

  private static void onWindows(FieldValue spec) {
    String why = "cannot be set for a windows pod";
    FieldValue context = spec.at("securityContext");
    context.at("appArmorProfile").forbidAny(why);
    context.at("seLinuxOptions").forbidAny(why);
    spec.at("hostUsers").forbidAny(why);
    for (String field : List.of("hostPID", "hostIPC")) {
      if (spec.at(field).isTrue()) {
        spec.at(field).forbidden(why);
      }
    }
    for (String field : NOT_ON_WINDOWS_POD.subList(2, 6)) {
      context.at(field).forbidAny(why);
    }
    spec.at("shareProcessNamespace").forbidAny(why);
    for (String field : NOT_ON_WINDOWS_POD.subList(6, NOT_ON_WINDOWS_POD.size())) {
      context.at(field).forbidAny(why);
    }
    for (FieldValue container : PodRules.containers(spec)) {
      FieldValue own = container.at("securityContext");
      NOT_ON_WINDOWS_CONTAINER.forEach(field -> own.at(field).forbidAny(why));
    }
  }
}
