package dev.vertlet.admission;

import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.SecurityView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the sysctls of a pod: safe ones, which affect no other pod of the node, and those that the
 * node's configuration allows.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/sysctl/allowlist.go">
 *     patternAllowlist, kubelet 1.36.3</a>
 */
public final class Sysctls {
  private static final String IPC = "IPC";
  private static final String NET = "Net";
  private static final String LINUX = "linux";

  /** Safe on every kernel since 4.15. */
  private static final List<String> SAFE =
      List.of(
          "kernel.shm_rmid_forced",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.tcp_syncookies",
          "net.ipv4.ping_group_range",
          "net.ipv4.ip_unprivileged_port_start",
          "net.ipv4.ip_local_reserved_ports",
          "net.ipv4.tcp_keepalive_time",
          "net.ipv4.tcp_fin_timeout",
          "net.ipv4.tcp_keepalive_intvl",
          "net.ipv4.tcp_keepalive_probes",
          "net.ipv4.tcp_rmem",
          "net.ipv4.tcp_wmem");

  private static final Set<String> IPC_NAMES =
      Set.of(
          "kernel.sem",
          "kernel.shmall",
          "kernel.shmmax",
          "kernel.shmmni",
          "kernel.shm_rmid_forced",
          "kernel.shm",
          "kernel.msgmax",
          "kernel.msgmnb",
          "kernel.msgmni",
          "kernel.msg");

  private static final int LONGEST = 253;
  private static final String SEGMENT = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
  private static final String FORM = "(" + SEGMENT + "[\\./])*" + "([a-z0-9][-_a-z0-9]*)?[a-z0-9*]";
  private static final Pattern VALID = Pattern.compile(FORM);

  private Sysctls() {}

  /**
   * An allowed name or prefix.
   *
   * @param namespace empty for sysctls that are not namespaced
   */
  private record Allowed(String name, boolean beginning, String namespace) {
    static Allowed of(String pattern) {
      String name = normalized(pattern);
      int star = name.indexOf('*');
      String text = star < 0 ? name : name.substring(0, star);
      return new Allowed(text, star >= 0, namespaceOf(text));
    }

    boolean takes(String sysctl) {
      return beginning ? sysctl.startsWith(name) : sysctl.equals(name);
    }
  }

  /** Returns a kubelet's message for a pattern that it rejects; empty for a valid one. */
  public static Optional<String> problem(String pattern) {
    if (pattern.length() > LONGEST || !VALID.matcher(pattern).matches()) {
      return Optional.of(
          "sysctl \"%s\" must have at most %d characters and match regex %s"
              .formatted(pattern, LONGEST, FORM));
    }
    Allowed allowed = Allowed.of(pattern);
    return allowed.namespace().isEmpty()
        ? Optional.of("the sysctls \"%s\" are not known to be namespaced".formatted(allowed.name()))
        : Optional.empty();
  }

  static @Nullable Rejection refusal(NodePolicy node, String os, PodSpecView pod) {
    SecurityView security = pod.placement().security();
    if (security.sysctls().isEmpty()) {
      return null;
    }
    List<Allowed> allowed = new ArrayList<>();
    (os.equals(LINUX) ? SAFE : List.<String>of()).forEach(name -> allowed.add(Allowed.of(name)));
    node.allowedUnsafeSysctls().forEach(pattern -> allowed.add(Allowed.of(pattern)));
    for (String sysctl : security.sysctls()) {
      String name = normalized(sysctl);
      String problem = problem(name, allowed, pod.hostNetwork(), security.hostIpc());
      if (problem != null) {
        return new Rejection("SysctlForbidden", "forbidden sysctl: " + problem, false);
      }
    }
    return null;
  }

  /** Exact names take precedence over prefixes. */
  private static @Nullable String problem(
      String sysctl, List<Allowed> all, boolean hostNetwork, boolean hostIpc) {
    Optional<Allowed> found =
        all.stream()
            .filter(one -> !one.beginning() && one.takes(sysctl))
            .findFirst()
            .or(() -> all.stream().filter(one -> one.takes(sysctl)).findFirst());
    if (found.isEmpty()) {
      return "\"" + sysctl + "\" not allowlisted";
    }
    String namespace = found.get().namespace();
    boolean shared = namespace.equals(IPC) ? hostIpc : hostNetwork;
    return shared ? "\"%s\" not allowed with host %s enabled".formatted(sysctl, namespace) : null;
  }

  private static String namespaceOf(String name) {
    if (IPC_NAMES.contains(name) || name.startsWith("fs.mqueue.")) {
      return IPC;
    }
    return name.startsWith("net.") ? NET : "";
  }

  /** Normalizes separators to dots. */
  private static String normalized(String name) {
    int slash = name.indexOf('/');
    int dot = name.indexOf('.');
    if (slash < 0 || (dot >= 0 && dot < slash)) {
      return name;
    }
    StringBuilder swapped = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      swapped.append(c == '.' ? '/' : c == '/' ? '.' : c);
    }
    return swapped.toString();
  }
}
