package dev.vertlet.kubeletconfig.validation;

import static dev.vertlet.kubeletconfig.validation.GoText.quoted;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rules that a kubelet checks only when it creates its components: managers, the server's TLS,
 * volumes.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/tree/v1.36.3/pkg/kubelet/cm">pkg/kubelet/cm,
 *     kubelet 1.36.3</a>
 */
final class StartRules {
  private static final String QOS = "qosReserved";
  private static final String CURVES = "tlsCurvePreferences";
  private static final String DETECTION = "configMapAndSecretChangeDetectionStrategy";
  private static final String MEMORY_MANAGER = "memoryManagerPolicy";
  private static final String TOPOLOGY = "topologyManagerPolicyOptions";
  private static final String NUMA_NODES = "max-allowable-numa-nodes";
  private static final long LEAST_NUMA_NODES = 8;
  private static final int MOST_CURVES = 65_535;

  /** Curves of Go 1.26: P-256, P-384, P-521, X25519, and with ML-KEM P-256, X25519 and P-384. */
  private static final Set<Integer> KNOWN_CURVES = Set.of(23, 24, 25, 29, 4587, 4588, 4589);

  private StartRules() {}

  static void check(Judged judged) {
    curves(judged);
    judged.texts(QOS).forEach((resource, share) -> qos(judged, resource, share));
    if (!judged.text("topologyManagerPolicy", "none").equals("none")) {
      judged.texts(TOPOLOGY).forEach((name, value) -> topology(judged, name, value));
    }
    CpuManagerRules.check(judged);
    String memory = judged.text(MEMORY_MANAGER, "None");
    if (memory.equals("BestEffort")) {
      judged.refuse(
          MEMORY_MANAGER, "policy \"BestEffort\" is not available for platform \"linux\"");
    } else if (!memory.equals("None") && !memory.equals("Static")) {
      judged.refuse(MEMORY_MANAGER, "unknown policy: " + quoted(memory));
    }
    String detection = judged.text(DETECTION, "Watch");
    if (!List.of("Watch", "Cache", "Get").contains(detection)) {
      judged.refuse(DETECTION, "unknown configmap and secret manager mode: " + detection);
    }
  }

  private static void curves(Judged judged) {
    Set<Integer> seen = new HashSet<>();
    for (Object one : judged.list(CURVES)) {
      int curve = ((Number) one).intValue();
      String problem = "";
      if (curve < 1 || curve > MOST_CURVES) {
        problem =
            "curve preference %d is out of range (must be 1-%d)".formatted(curve, MOST_CURVES);
      } else if (!seen.add(curve)) {
        problem = "duplicate curve preference " + curve;
      } else if (!KNOWN_CURVES.contains(curve)) {
        problem = "curve preference %d is not supported by the current Go version".formatted(curve);
      }
      if (!problem.isEmpty()) {
        judged.refuse(CURVES, problem);
      }
    }
  }

  private static void qos(Judged judged, String resource, String share) {
    String problem = "";
    if (!resource.equals("memory")) {
      problem = "cannot reserve %s resource".formatted(quoted(resource));
    } else {
      Optional<String> wrong = share(share);
      if (wrong.isPresent()) {
        problem =
            "failed to parse percentage %s for \"memory\" resource: %s"
                .formatted(quoted(share), wrong.get());
      }
    }
    if (!problem.isEmpty()) {
      judged.refuse(QOS, "--qos-reserved value failed to parse: " + problem, resource);
    }
  }

  private static Optional<String> share(String share) {
    if (!share.endsWith("%")) {
      return Optional.of("percentage expected, got '%s'".formatted(share));
    }
    String number = share.replaceFirst("%+$", "");
    if (GoText.notWhole(number).isPresent()) {
      return Optional.of("invalid number in percentage '%s'".formatted(share));
    }
    long percent = Long.parseLong(number);
    return percent < 0 || percent > 100
        ? Optional.of("percentage must be between 0 and 100")
        : Optional.empty();
  }

  private static void topology(Judged judged, String name, String value) {
    Optional<String> problem =
        switch (name) {
          case "prefer-closest-numa-nodes" ->
              GoText.notFlag(value)
                  .map(why -> "bad value for option %s: %s".formatted(quoted(name), why));
          case NUMA_NODES -> numaNodes(value);
          default -> Optional.of("unknown Topology Manager Policy option: " + quoted(name));
        };
    problem.ifPresent(why -> judged.refuse(TOPOLOGY, why, name));
  }

  private static Optional<String> numaNodes(String value) {
    Optional<String> problem = GoText.notWhole(value);
    if (problem.isPresent()) {
      return problem.map(
          why ->
              "unable to convert policy option to integer %s: %s"
                  .formatted(quoted(NUMA_NODES), why));
    }
    return Long.parseLong(value) < LEAST_NUMA_NODES
        ? Optional.of(
            "the minimum value of %s should not be less than %d"
                .formatted(quoted(NUMA_NODES), LEAST_NUMA_NODES))
        : Optional.empty();
  }
}
