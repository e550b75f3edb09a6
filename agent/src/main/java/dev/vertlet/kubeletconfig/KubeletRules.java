package dev.vertlet.kubeletconfig;

import dev.vertlet.model.GoDuration;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a kubelet demands of several fields together, and of fields that mean nothing here; with its
 * defaults where a field is not set, and in its words. Rules of the machine that it runs on are
 * left out.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/apis/config/validation/validation.go">
 *     ValidateKubeletConfiguration, kubelet 1.36.3</a>
 */
public final class KubeletRules {
  private static final String SYSTEM = "system-reserved";
  private static final String KUBE = "kube-reserved";
  private static final String COMPRESSIBLE = "-compressible";
  private static final String NONE = "none";
  private static final Set<String> ENFORCEMENTS =
      Set.of("pods", SYSTEM, SYSTEM + COMPRESSIBLE, KUBE, KUBE + COMPRESSIBLE, NONE);
  private static final String ALLOWLISTED = "NeverVerifyAllowlistedImages";
  private static final Set<String> VERIFICATIONS =
      Set.of("NeverVerify", "NeverVerifyPreloadedImages", ALLOWLISTED, "AlwaysVerify");
  private static final long USERS = 65_536;
  private static final long MOST_USERS = 4_294_967_295L;

  private final Map<String, Object> values = new HashMap<>();
  private final FeatureGates gates;
  private final List<Broken> broken = new ArrayList<>();

  /**
   * A rule that does not hold.
   *
   * @param path of a field that it is about
   * @param problem in a kubelet's words
   */
  public record Broken(List<String> path, String problem) {}

  private KubeletRules(Map<KubeletField, Object> set, FeatureGates gates) {
    set.forEach((field, value) -> values.put(field.name(), value));
    this.gates = gates;
  }

  /**
   * What does not hold of a configuration.
   *
   * @param set values that have the types of their fields
   * @param known gates that are set elsewhere; those of the configuration stand above them
   */
  public static List<Broken> broken(Map<KubeletField, Object> set, FeatureGates known) {
    Map<String, Boolean> gates = new HashMap<>(known.set());
    set.forEach(
        (field, value) -> {
          if (field.name().equals(KubeletFields.FEATURE_GATES)) {
            ((JsonObject) value)
                .forEach(gate -> gates.put(gate.getKey(), Boolean.TRUE.equals(gate.getValue())));
          }
        });
    KubeletRules rules = new KubeletRules(set, new FeatureGates(gates));
    rules.check();
    return List.copyOf(rules.broken);
  }

  private void check() {
    images();
    pulls();
    cgroups();
    enforcements();
    shutdown();
    memory();
    logs();
    machine();
  }

  private void refuse(String field, String problem) {
    broken.add(new Broken(List.of(field.split("\\.")), problem));
  }

  private void refuse(boolean holds, String field, String problem) {
    if (!holds) {
      refuse(field, "invalid configuration: " + problem);
    }
  }

  private boolean isSet(String field) {
    return values.containsKey(field);
  }

  private long number(String field, long otherwise) {
    return values.get(field) instanceof Number number ? number.longValue() : otherwise;
  }

  private boolean flag(String field, boolean otherwise) {
    return values.get(field) instanceof Boolean flag ? flag : otherwise;
  }

  private String text(String field) {
    return values.get(field) instanceof String text ? text : "";
  }

  private JsonArray list(String field) {
    return values.get(field) instanceof JsonArray list ? list : new JsonArray();
  }

  private Duration time(String field, Duration otherwise) {
    return isSet(field) ? GoDuration.parse(text(field)) : otherwise;
  }

  private void images() {
    long high = number("imageGCHighThresholdPercent", 85);
    long low = number("imageGCLowThresholdPercent", 80);
    refuse(
        low < high,
        isSet("imageGCLowThresholdPercent")
            ? "imageGCLowThresholdPercent"
            : "imageGCHighThresholdPercent",
        "imageGCLowThresholdPercent (--image-gc-low-threshold) %d must be less than".formatted(low)
            + " imageGCHighThresholdPercent (--image-gc-high-threshold) %d".formatted(high));
    Duration least = time("imageMinimumGCAge", Duration.ofMinutes(2));
    Duration most = time("imageMaximumGCAge", Duration.ZERO);
    refuse(
        !least.isNegative(),
        "imageMinimumGCAge",
        "imageMinimumGCAge %s must not be negative".formatted(GoDuration.format(least)));
    refuse(
        !most.isNegative(),
        "imageMaximumGCAge",
        "imageMaximumGCAge %s must not be negative".formatted(GoDuration.format(most)));
    boolean ends = !most.isZero() && !most.isNegative();
    refuse(
        !ends || most.compareTo(least) > 0,
        "imageMaximumGCAge",
        "imageMaximumGCAge %s must be greater than imageMinimumGCAge %s"
            .formatted(GoDuration.format(most), GoDuration.format(least)));
  }

  private void pulls() {
    long parallel = number("maxParallelImagePulls", 1);
    refuse(
        parallel <= 1 || !flag("serializeImagePulls", false),
        "maxParallelImagePulls",
        "maxParallelImagePulls cannot be larger than 1 unless SerializeImagePulls"
            + " (--serialize-image-pulls) is set to false");
    String policy = text("imagePullCredentialsVerificationPolicy");
    if (!gates.enabled("KubeletEnsureSecretPulledImages")) {
      for (String field :
          List.of(
              "imagePullCredentialsVerificationPolicy", "preloadedImagesVerificationAllowlist")) {
        refuse(
            !isSet(field),
            field,
            "`%s` must not be set if KubeletEnsureSecretPulledImages feature gate is not enabled"
                .formatted(field));
      }
      return;
    }
    refuse(
        policy.isEmpty() || VERIFICATIONS.contains(policy),
        "imagePullCredentialsVerificationPolicy",
        ("option \"%s\" specified for imagePullCredentialsVerificationPolicy. Valid options are"
                + " \"NeverVerify\", \"NeverVerifyPreloadedImages\","
                + " \"NeverVerifyAllowlistedImages\" or \"AlwaysVerify\"")
            .formatted(policy));
    refuse(
        list("preloadedImagesVerificationAllowlist").isEmpty() || policy.equals(ALLOWLISTED),
        "preloadedImagesVerificationAllowlist",
        "can't set `preloadedImagesVerificationAllowlist` if"
            + " `imagePullCredentialsVertificationPolicy` is not \"NeverVerifyAllowlistedImages\"");
  }

  private void cgroups() {
    refuse(
        !isSet("systemCgroups") || isSet("cgroupRoot"),
        "systemCgroups",
        "systemCgroups (--system-cgroups) was specified and cgroupRoot (--cgroup-root) was not"
            + " specified");
    Duration period = time("cpuCFSQuotaPeriod", Duration.ofMillis(100));
    if (gates.enabled("CustomCPUCFSQuotaPeriod")) {
      refuse(
          period.compareTo(Duration.ofMillis(1)) >= 0
              && period.compareTo(Duration.ofSeconds(1)) <= 0,
          "cpuCFSQuotaPeriod",
          "cpuCFSQuotaPeriod (--cpu-cfs-quota-period) %s must be between 1ms and 1sec, inclusive"
              .formatted(GoDuration.format(period)));
    } else {
      refuse(
          period.equals(Duration.ofMillis(100)),
          "cpuCFSQuotaPeriod",
          "cpuCFSQuotaPeriod (--cpu-cfs-quota-period) %s requires feature gate"
                  .formatted(GoDuration.format(period))
              + " CustomCPUCFSQuotaPeriod");
    }
    refuse(
        !isSet("reservedSystemCPUs")
            || !(isSet("systemReservedCgroup") || isSet("kubeReservedCgroup")),
        "reservedSystemCPUs",
        "can't use reservedSystemCPUs (--reserved-cpus) with systemReservedCgroup"
            + " (--system-reserved-cgroup) or kubeReservedCgroup (--kube-reserved-cgroup)");
  }

  private void enforcements() {
    String field = "enforceNodeAllocatable";
    JsonArray all = list(field);
    for (String reserved : List.of(SYSTEM, KUBE)) {
      refuse(
          !(all.contains(reserved) && all.contains(reserved + COMPRESSIBLE)),
          field,
          "both \"%s\" and \"%s\" cannot be specified together in %s (--enforce-node-allocatable)"
              .formatted(reserved + COMPRESSIBLE, reserved, field));
    }
    Set<String> seen = new HashSet<>();
    for (Object one : all) {
      enforcement(field, String.valueOf(one), seen, all.size());
    }
  }

  private void enforcement(String field, String value, Set<String> seen, int count) {
    if (!seen.add(value)) {
      refuse(
          false,
          field,
          "duplicated enforcements \"%s\" in %s (--enforce-node-allocatable)"
              .formatted(value, field));
    } else if (value.equals(NONE)) {
      refuse(
          count == 1,
          field,
          "%s (--enforce-node-allocatable) may not contain additional enforcements when \"none\" is"
                  .formatted(field)
              + " specified");
    } else if (!ENFORCEMENTS.contains(value)) {
      refuse(
          false,
          field,
          ("option \"%s\" specified for %s (--enforce-node-allocatable). Valid options are \"pods\","
                  + " \"system-reserved\", \"system-reserved-compressible\", \"kube-reserved\","
                  + " \"kube-reserved-compressible\" or \"none\"")
              .formatted(value, field));
    } else {
      reserved(field, value);
      refuse(
          flag("cgroupsPerQOS", true),
          field,
          "cgroupsPerQOS (--cgroups-per-qos) must be set to true when \"%s\" contained in %s"
                  .formatted(value, field)
              + " (--enforce-node-allocatable)");
    }
  }

  private void reserved(String field, String value) {
    for (String reserved : List.of(SYSTEM, KUBE)) {
      String cgroup = reserved.equals(SYSTEM) ? "systemReservedCgroup" : "kubeReservedCgroup";
      refuse(
          !value.startsWith(reserved) || isSet(cgroup),
          field,
          ("%s (--%s-cgroup) must be specified when \"%s\" or \"%s\" included in %s"
                  + " (--enforce-node-allocatable)")
              .formatted(cgroup, reserved, reserved, reserved + COMPRESSIBLE, field));
    }
  }

  private void shutdown() {
    String all = "shutdownGracePeriod";
    String critical = "shutdownGracePeriodCriticalPods";
    String byPriority = "shutdownGracePeriodByPodPriority";
    Duration whole = time(all, Duration.ZERO);
    Duration last = time(critical, Duration.ZERO);
    boolean some = longer(whole) || longer(last);
    if (gates.enabled("GracefulNodeShutdown")) {
      refuse(
          last.compareTo(whole) <= 0,
          critical,
          "%s %s must be <= %s %s"
              .formatted(critical, GoDuration.format(last), all, GoDuration.format(whole)));
      second(all, whole);
      second(critical, last);
    } else {
      refuse(
          !some,
          isSet(all) ? all : critical,
          "specifying shutdownGracePeriod or shutdownGracePeriodCriticalPods requires feature gate"
              + " GracefulNodeShutdown");
    }
    boolean ranked = isSet(byPriority);
    if (gates.enabled("GracefulNodeShutdownBasedOnPodPriority")) {
      refuse(
          !ranked || !some,
          byPriority,
          "Cannot specify both shutdownGracePeriodByPodPriority and shutdownGracePeriod at the same"
              + " time");
    } else {
      refuse(
          !ranked,
          byPriority,
          "Specifying shutdownGracePeriodByPodPriority requires feature gate"
              + " GracefulNodeShutdownBasedOnPodPriority");
    }
  }

  private static boolean longer(Duration time) {
    return !time.isZero() && !time.isNegative();
  }

  private void second(String field, Duration time) {
    refuse(
        time.isZero() || time.compareTo(Duration.ofSeconds(1)) >= 0,
        field,
        "%s %s must be either zero or otherwise >= 1 sec"
            .formatted(field, GoDuration.format(time)));
  }

  private void memory() {
    Object throttling = values.get("memoryThrottlingFactor");
    if (throttling instanceof Number factor) {
      refuse(
          factor.doubleValue() > 0 && factor.doubleValue() <= 1,
          "memoryThrottlingFactor",
          "memoryThrottlingFactor %s must be greater than 0 and less than or equal to 1.0"
              .formatted(factor));
    }
    String policy = text("memoryReservationPolicy");
    boolean tiered = policy.equals("TieredReservation");
    refuse(
        !tiered || gates.enabled("MemoryQoS"),
        "memoryReservationPolicy",
        "memoryReservationPolicy \"%s\" requires MemoryQoS feature gate to be enabled"
            .formatted(policy));
    refuse(
        policy.isEmpty() || tiered || policy.equals("None"),
        "memoryReservationPolicy",
        ("option \"%s\" specified for memoryReservationPolicy. Valid options are \"None\" or"
                + " \"TieredReservation\"")
            .formatted(policy));
    Set<String> seen = new HashSet<>();
    for (Object one : list("reservedMemory")) {
      if (one instanceof JsonObject node) {
        reservedMemory(node, seen);
      }
    }
  }

  private void reservedMemory(JsonObject json, Set<String> seen) {
    Object node = json.getValue("numaNode", 0);
    if (!(json.getValue("limits") instanceof JsonObject limits)) {
      return;
    }
    for (Map.Entry<String, Object> limit : limits) {
      String resource = limit.getKey();
      refuse(
          resource.equals("memory") || resource.startsWith("hugepages-"),
          "reservedMemory",
          ("the limit type \"%s\" for NUMA node %s is not supported, only [memory"
                  + " hugepages-<HugePageSize>] is accepted")
              .formatted(resource, node));
      refuse(
          !String.valueOf(limit.getValue()).matches("0+[A-Za-z]*"),
          "reservedMemory",
          "reserved memory may not be zero for NUMA node %s and resource \"%s\""
              .formatted(node, resource));
      refuse(
          seen.add(node + "/" + resource),
          "reservedMemory",
          "the reserved memory has a duplicate value for NUMA node %s and resource \"%s\""
              .formatted(node, resource));
    }
  }

  private void logs() {
    refuse(
        !flag("enableSystemLogQuery", false) || flag("enableSystemLogHandler", true),
        "enableSystemLogQuery",
        "enableSystemLogHandler is required for enableSystemLogQuery");
    refuse(
        time("containerLogMonitorInterval", Duration.ofSeconds(10)).compareTo(Duration.ofSeconds(3))
            >= 0,
        "containerLogMonitorInterval",
        "containerLogMonitorInterval must be a positive time duration greater than or equal to 3s");
    String directory = text("podLogsDir");
    if (directory.isEmpty()) {
      return;
    }
    refuse(
        directory.startsWith("/"),
        "podLogsDir",
        "pod logs path \"%s\" must be absolute path".formatted(directory));
    refuse(
        Path.of(directory).normalize().toString().equals(directory),
        "podLogsDir",
        "pod logs path \"%s\" must be normalized".formatted(directory));
    refuse(
        directory.chars().allMatch(c -> c < 128),
        "podLogsDir",
        "pod logs path \"%s\" mut contains ASCII characters only".formatted(directory));
  }

  private void machine() {
    refuse(
        !flag("serverTLSBootstrap", false) || gates.enabled("RotateKubeletServerCertificate"),
        "serverTLSBootstrap",
        "serverTLSBootstrap true requires feature gate RotateKubeletServerCertificate");
    refuse(
        !isSet("crashLoopBackOff.maxContainerRestartPeriod")
            || gates.enabled(FeatureGates.BACK_OFF_MAX),
        "crashLoopBackOff.maxContainerRestartPeriod",
        "FeatureGate KubeletCrashLoopBackOffMax not enabled,"
            + " CrashLoopBackOff.MaxContainerRestartPeriod must not be set");
    String users = users(values.get("userNamespaces.idsPerPod"));
    if (users != null) {
      refuse(false, "userNamespaces.idsPerPod", "userNamespaces.idsPerPod must " + users);
    }
  }

  private static @Nullable String users(@Nullable Object value) {
    if (!(value instanceof Number number)) {
      return null;
    }
    long ids = number.longValue();
    if (ids < USERS) {
      return "not be less than " + USERS;
    }
    if (ids % USERS != 0) {
      return "be a multiple of " + USERS;
    }
    return ids > MOST_USERS ? "not be more than " + MOST_USERS : null;
  }
}
