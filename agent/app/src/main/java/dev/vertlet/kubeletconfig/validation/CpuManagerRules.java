package dev.vertlet.kubeletconfig.validation;

import static dev.vertlet.kubeletconfig.validation.GoText.quoted;

import dev.vertlet.model.resource.Quantities;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Rules for CPU manager policies, which a kubelet checks when it starts. */
final class CpuManagerRules {
  private static final String POLICY = "cpuManagerPolicy";
  private static final String OPTIONS = "cpuManagerPolicyOptions";
  private static final String ACROSS_CORES = "distribute-cpus-across-cores";
  private static final String ACROSS_NUMA = "distribute-cpus-across-numa";
  private static final String WHOLE_CORES = "full-pcpus-only";
  private static final String BY_SOCKET = "align-by-socket";
  private static final String BY_CACHE = "prefer-align-cpus-by-uncorecache";

  /** Options by the maturity of the gate that they need. */
  private static final Map<String, Set<String>> GATED =
      Map.of("Alpha", Set.of(BY_SOCKET, ACROSS_CORES), "Beta", Set.of(ACROSS_NUMA));

  private static final Set<String> STABLE = Set.of(WHOLE_CORES, "strict-cpu-reservation", BY_CACHE);

  /** Pairs of options that exclude each other. */
  private static final List<List<String>> APART =
      List.of(
          List.of(WHOLE_CORES, ACROSS_CORES),
          List.of(ACROSS_NUMA, ACROSS_CORES),
          List.of(BY_CACHE, ACROSS_CORES),
          List.of(BY_CACHE, ACROSS_NUMA));

  private CpuManagerRules() {}

  static void check(Judged judged) {
    String policy = judged.text(POLICY, "none");
    Map<String, String> options = judged.texts(OPTIONS);
    if (policy.equals("none")) {
      if (!options.isEmpty()) {
        judged.refuse(
            OPTIONS,
            "new none policy error: None policy: received unsupported options=map[%s]"
                .formatted(
                    options.entrySet().stream()
                        .map(option -> option.getKey() + ":" + option.getValue())
                        .collect(Collectors.joining(" "))));
      }
    } else if (!policy.equals("static")) {
      judged.refuse(POLICY, "unknown policy: \"" + policy + "\"");
    } else if (!reservesCpu(judged)) {
      judged.refuse(
          POLICY, "[cpumanager] unable to determine reserved CPU resources for static policy");
    } else {
      options(judged, options);
    }
  }

  private static boolean reservesCpu(Judged judged) {
    return judged.isSet("reservedSystemCPUs")
        || List.of("kubeReserved", "systemReserved").stream()
            .map(reserved -> judged.texts(reserved).getOrDefault("cpu", "0"))
            .anyMatch(CpuManagerRules::isSome);
  }

  /**
   * Returns whether the quantity is not zero. An invalid one counts as such; the parser of
   * reservations refuses it.
   */
  private static boolean isSome(String quantity) {
    try {
      return !Quantities.isZero(quantity);
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  private static void options(Judged judged, Map<String, String> options) {
    Set<String> on = new TreeSet<>();
    boolean sound = true;
    for (Map.Entry<String, String> option : options.entrySet()) {
      Optional<String> problem = option(judged, option.getKey(), option.getValue());
      if (problem.isPresent()) {
        refuse(judged, problem.get(), option.getKey());
        sound = false;
      } else if (GoText.isTrue(option.getValue())) {
        on.add(option.getKey());
      }
    }
    if (sound) {
      together(judged, on);
    }
  }

  private static Optional<String> option(Judged judged, String name, String value) {
    for (Map.Entry<String, Set<String>> kind : GATED.entrySet()) {
      if (kind.getValue().contains(name)
          && !judged.enabled("CPUManagerPolicy" + kind.getKey() + "Options")) {
        return Optional.of(
            "CPU Manager Policy %s-level Options not enabled, but option %s provided"
                .formatted(kind.getKey(), quoted(name)));
      }
    }
    if (!STABLE.contains(name) && GATED.values().stream().noneMatch(kind -> kind.contains(name))) {
      return Optional.of("unknown CPU Manager Policy option: " + quoted(name));
    }
    return GoText.notFlag(value)
        .map(why -> "bad value for option %s: %s".formatted(quoted(name), why));
  }

  private static void together(Judged judged, Set<String> on) {
    for (List<String> two : APART) {
      if (on.containsAll(two)) {
        refuse(
            judged,
            "static policy options %s and %s can not be used at the same time"
                .formatted(two.get(0), two.get(1)));
      }
    }
    if (on.contains(BY_SOCKET)
        && judged.text("topologyManagerPolicy", "none").equals("single-numa-node")) {
      refuse(
          judged,
          "Topolgy manager single-numa-node policy is incompatible with CPUManager %s policy option"
              .formatted(BY_SOCKET),
          BY_SOCKET);
    }
  }

  private static void refuse(Judged judged, String problem, Object... below) {
    judged.refuse(OPTIONS, "new static policy error: " + problem, below);
  }
}
