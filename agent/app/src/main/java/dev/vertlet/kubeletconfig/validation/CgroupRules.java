package dev.vertlet.kubeletconfig.validation;

import static dev.vertlet.kubeletconfig.validation.GoText.held;
import static dev.vertlet.kubeletconfig.validation.GoText.quoted;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Rules for cgroups, their enforcement and reserved CPUs. */
final class CgroupRules {
  private static final String ENFORCE = "enforceNodeAllocatable";
  private static final String CPUS = "reservedSystemCPUs";
  private static final String SYSTEM = "system-reserved";
  private static final String KUBE = "kube-reserved";
  private static final String COMPRESSIBLE = "-compressible";
  private static final String PODS = "pods";
  private static final String NONE = "none";
  private static final Set<String> ENFORCEMENTS =
      Set.of(PODS, SYSTEM, SYSTEM + COMPRESSIBLE, KUBE, KUBE + COMPRESSIBLE, NONE);

  private CgroupRules() {}

  static void check(Judged judged) {
    judged.require(
        !judged.isSet("systemCgroups") || judged.isSet("cgroupRoot"),
        "systemCgroups",
        "systemCgroups (--system-cgroups) was specified and cgroupRoot (--cgroup-root) was not"
            + " specified");
    period(judged);
    cpus(judged);
    enforcements(judged);
  }

  private static void period(Judged judged) {
    String field = "cpuCFSQuotaPeriod";
    Duration usual = Duration.ofMillis(100);
    Duration period = judged.time(field, usual);
    String written = "%s (--cpu-cfs-quota-period) %s".formatted(field, held(period));
    if (judged.enabled("CustomCPUCFSQuotaPeriod")) {
      judged.require(
          period.compareTo(Duration.ofMillis(1)) >= 0
              && period.compareTo(Duration.ofSeconds(1)) <= 0,
          field,
          written + " must be between 1ms and 1sec, inclusive");
    } else {
      judged.require(
          period.equals(usual), field, written + " requires feature gate CustomCPUCFSQuotaPeriod");
    }
  }

  private static void cpus(Judged judged) {
    if (!judged.isSet(CPUS)) {
      return;
    }
    judged.require(
        !judged.isSet("systemReservedCgroup") && !judged.isSet("kubeReservedCgroup"),
        CPUS,
        "can't use reservedSystemCPUs (--reserved-cpus) with systemReservedCgroup"
            + " (--system-reserved-cgroup) or kubeReservedCgroup (--kube-reserved-cgroup)");
    String cpus = judged.text(CPUS, "");
    for (String range : cpus.split(",", -1)) {
      Optional<String> problem = range(range);
      if (problem.isPresent()) {
        judged.invalid(
            CPUS,
            "unable to parse reservedSystemCPUs (--reserved-cpus) %s, error: %s"
                .formatted(cpus, problem.get()));
        return;
      }
    }
  }

  /** Checks a number or a range such as {@code 0-3}. */
  private static Optional<String> range(String range) {
    String[] ends = range.split("-", 2);
    for (String end : ends) {
      Optional<String> problem = GoText.notWhole(end);
      if (problem.isPresent()) {
        return problem;
      }
    }
    long first = Long.parseLong(ends[0]);
    long last = Long.parseLong(ends[ends.length - 1]);
    return first > last
        ? Optional.of("invalid range %s (%d > %d)".formatted(quoted(range), first, last))
        : Optional.empty();
  }

  private static void enforcements(Judged judged) {
    List<Object> all = judged.isSet(ENFORCE) ? judged.list(ENFORCE) : List.of(PODS);
    for (String reserved : List.of(SYSTEM, KUBE)) {
      judged.require(
          !(all.contains(reserved) && all.contains(reserved + COMPRESSIBLE)),
          ENFORCE,
          "both \"%s\" and \"%s\" cannot be specified together in %s (--enforce-node-allocatable)"
              .formatted(reserved, reserved + COMPRESSIBLE, ENFORCE));
    }
    Set<String> seen = new HashSet<>();
    for (Object one : all) {
      String value = (String) one;
      if (seen.add(value)) {
        enforcement(judged, value, all.size());
      } else {
        judged.invalid(
            ENFORCE,
            "duplicated enforcements %s in %s (--enforce-node-allocatable)"
                .formatted(quoted(value), ENFORCE));
      }
    }
  }

  private static void enforcement(Judged judged, String value, int count) {
    if (value.equals(NONE)) {
      judged.require(
          count == 1,
          ENFORCE,
          "%s (--enforce-node-allocatable) may not contain additional enforcements when \"none\" is"
                  .formatted(ENFORCE)
              + " specified");
    } else if (!ENFORCEMENTS.contains(value)) {
      judged.invalid(
          ENFORCE,
          ("option %s specified for %s (--enforce-node-allocatable). Valid options are \"pods\","
                  + " \"system-reserved\", \"system-reserved-compressible\", \"kube-reserved\","
                  + " \"kube-reserved-compressible\" or \"none\"")
              .formatted(quoted(value), ENFORCE));
    } else {
      reserved(judged, value);
      judged.require(
          judged.flag("cgroupsPerQOS", true),
          "cgroupsPerQOS",
          "cgroupsPerQOS (--cgroups-per-qos) must be set to true when \"%s\" contained in %s"
                  .formatted(value, ENFORCE)
              + " (--enforce-node-allocatable)");
    }
  }

  private static void reserved(Judged judged, String value) {
    for (String reserved : List.of(SYSTEM, KUBE)) {
      String cgroup = reserved.equals(SYSTEM) ? "systemReservedCgroup" : "kubeReservedCgroup";
      judged.require(
          !value.startsWith(reserved) || judged.isSet(cgroup),
          ENFORCE,
          ("%s (--%s-cgroup) must be specified when \"%s\" or \"%s\" included in %s"
                  + " (--enforce-node-allocatable)")
              .formatted(cgroup, reserved, reserved, reserved + COMPRESSIBLE, ENFORCE));
    }
  }
}
