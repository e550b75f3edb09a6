package dev.vertlet.admission;

import dev.vertlet.admission.Rejection.Lack;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.pod.QosClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a pod may run on its node, from the node's properties, the requests of its pods,
 * and the pod. Of several reasons for a rejection the first is reported.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/lifecycle/predicate.go">
 *     lifecycle/predicate.go, kubelet 1.36.3</a>
 */
public final class Admission {
  private static final String OS_LABEL = "kubernetes.io/os";

  private static final TaintView MEMORY_PRESSURE =
      new TaintView("node.kubernetes.io/memory-pressure", "", "NoSchedule");

  private final NodeFacts node;
  private final NodePolicy policy;
  private final NodeStrain strain;
  private final NodeLedger used;
  private final PodView pod;
  private final PlacementView wants;

  private Admission(
      NodeFacts node, NodePolicy policy, NodeStrain strain, NodeLedger used, PodView pod) {
    this.node = node;
    this.policy = policy;
    this.strain = strain;
    this.used = used;
    this.pod = pod;
    this.wants = pod.spec().placement();
  }

  /**
   * Checks a new pod.
   *
   * @param policy of the node
   * @param strain of the node now
   * @param used without this pod
   * @return null for an admitted pod
   */
  public static @Nullable Rejection check(
      NodeFacts node, NodePolicy policy, NodeStrain strain, NodeLedger used, PodView pod) {
    return new Admission(node, policy, strain, used, pod).check();
  }

  /**
   * Checks a resize of a running pod.
   *
   * @param used without this pod
   * @param pod with its new resources
   * @return null if the resize is possible; reason {@code Infeasible} if it exceeds the node's
   *     capacity, any other reason if it may be possible later
   */
  public static @Nullable Rejection resize(
      NodeFacts node, NodePolicy policy, NodeStrain strain, NodeLedger used, PodView pod) {
    Rejection never = node.measured() ? tooMuch(node.allocatable(), pod) : null;
    return never == null ? check(node, policy, strain, used, pod) : never;
  }

  private static @Nullable Rejection tooMuch(PodRequests has, PodView pod) {
    PodRequests asked = pod.spec().placement().requests();
    Rejection cpu = tooMuch("cpu", asked.milliCpu(), has.milliCpu());
    return cpu == null ? tooMuch("memory", asked.memory(), has.memory()) : cpu;
  }

  private static @Nullable Rejection tooMuch(String resource, long asked, long capacity) {
    return asked <= capacity
        ? null
        : new Rejection(
            "Infeasible",
            "Node didn't have enough capacity: "
                + resource
                + ", requested: "
                + asked
                + ", capacity: "
                + capacity,
            false);
  }

  private @Nullable Rejection check() {
    if (pressed()) {
      return pressure();
    }
    Rejection sysctls = Sysctls.refusal(policy, node.os(), pod.spec());
    if (sysctls != null) {
      return sysctls;
    }
    Rejection refused = predicates();
    // a critical pod can preempt others, so every other reason is reported first
    boolean roomLast = refused != null && !refused.lacks().isEmpty() && CriticalPods.critical(pod);
    if (refused != null && !roomLast) {
      return refused;
    }
    Rejection later = appArmor();
    later = later == null ? PodFeatures.refusal(policy, pod.spec()) : later;
    later = later == null ? shutdown() : later;
    return later == null ? refused : later;
  }

  private @Nullable Rejection appArmor() {
    return policy.appArmor() || !(wants.security().appArmor() || annotated())
        ? null
        : new Rejection(
            "AppArmor", "Cannot enforce AppArmor: AppArmor is not enabled on the host", false);
  }

  /** Static pods may still use the annotation that preceded the field. */
  private boolean annotated() {
    return pod.annotations().entrySet().stream()
        .anyMatch(
            one ->
                one.getKey().startsWith("container.apparmor.security.beta.kubernetes.io/")
                    && !one.getValue().equals("unconfined"));
  }

  private @Nullable Rejection strictGroups() {
    // a node without a status yet may still turn out to support it
    return !wants.security().strictGroups() || node.strictGroups() || !node.measured()
        ? null
        : new Rejection(
            "SupplementalGroupsPolicyNotSupported",
            "SupplementalGroupsPolicy=Strict is not supported in this node",
            false);
  }

  private @Nullable Rejection shutdown() {
    return strain.shuttingDown()
        ? new Rejection("NodeShutdown", "Pod was rejected as the node is shutting down.", false)
        : null;
  }

  private @Nullable Rejection predicates() {
    Rejection never = os();
    never = never == null ? strictGroups() : never;
    if (never != null) {
      return never;
    }
    Rejection resources = node.measured() ? resources() : null;
    Rejection other = ports();
    other = other == null ? taints() : other;
    if (!NodeAffinity.fits(node, wants)) {
      boolean onlyLabels = other == null && resources == null;
      other =
          predicate(
              "NodeAffinity", "node(s) didn't match Pod's node affinity/selector", onlyLabels);
    }
    boolean roomLast = other != null && CriticalPods.critical(pod);
    return resources == null || roomLast ? other : resources;
  }

  /**
   * Whether pressure rejects the pod. Under memory pressure alone, a node admits pods with a memory
   * request or limit, and pods that tolerate the taint.
   */
  private boolean pressed() {
    Set<Pressure> pressures = strain.pressures();
    if (pressures.isEmpty() || CriticalPods.critical(pod)) {
      return false;
    }
    boolean onlyMemory = pressures.equals(Set.of(Pressure.MEMORY));
    return !onlyMemory
        || (wants.qos() == QosClass.BEST_EFFORT
            && !Tolerations.bear(wants.tolerations(), List.of(MEMORY_PRESSURE)));
  }

  private Rejection pressure() {
    String conditions =
        strain.pressures().stream()
            .sorted()
            .map(Pressure::condition)
            .collect(Collectors.joining(" "));
    return new Rejection("Evicted", "The node had condition: [" + conditions + "]. ", false);
  }

  private @Nullable Rejection os() {
    String label = pod.labels().get(OS_LABEL);
    if (label != null && !label.equals(node.os())) {
      return new Rejection(
          "PodOSSelectorNodeLabelDoesNotMatch",
          "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
          false);
    }
    if (!wants.os().isEmpty() && !wants.os().equals(node.os())) {
      return new Rejection(
          "PodOSNotSupported", "Failed to admit pod as the OS field doesn't match node OS", false);
    }
    return null;
  }

  private @Nullable Rejection resources() {
    Shortfall shortfall = new Shortfall();
    shortfall.check("pods", 1, used.pods(), node.pods());
    PodRequests asked = wants.requests();
    if (!asked.isEmpty()) {
      PodRequests has = node.allocatable();
      shortfall.check("cpu", asked.milliCpu(), used.milliCpu(), has.milliCpu());
      shortfall.check("memory", asked.memory(), used.memory(), has.memory());
      shortfall.check(
          "ephemeral-storage",
          asked.ephemeralStorage(),
          used.ephemeralStorage(),
          has.ephemeralStorage());
      if (!asked.others().isEmpty()) {
        others(asked, has, shortfall);
      }
    }
    return shortfall.rejection();
  }

  private void others(PodRequests asked, PodRequests has, Shortfall shortfall) {
    for (var request : new TreeMap<>(asked.others()).entrySet()) {
      String resource = request.getKey();
      Long capacity = has.others().get(resource);
      // an extended resource that the node lacks is the cluster's
      if (capacity != null || !extended(resource)) {
        shortfall.check(
            resource, request.getValue(), used.other(resource), capacity == null ? 0 : capacity);
      }
    }
  }

  /**
   * Whether the resource is extended: names of Kubernetes' own have no domain, or one of
   * kubernetes.io.
   */
  private static boolean extended(String resource) {
    return resource.indexOf('/') >= 0 && !resource.contains("kubernetes.io/");
  }

  /** Collects the insufficient resources; the message names the first. */
  private static final class Shortfall {
    private List<Lack> lacks = List.of();
    private String message = "";

    void check(String resource, long asked, long used, long capacity) {
      if (asked <= 0 || asked <= capacity - used) {
        return;
      }
      if (lacks.isEmpty()) {
        lacks = new ArrayList<>(1);
        message =
            "Node didn't have enough resource: "
                + resource
                + ", requested: "
                + asked
                + ", used: "
                + used
                + ", capacity: "
                + capacity;
      }
      lacks.add(new Lack(resource, asked - (capacity - used)));
    }

    @Nullable Rejection rejection() {
      return lacks.isEmpty()
          ? null
          : new Rejection("OutOf" + lacks.get(0).resource(), message, false, lacks);
    }
  }

  private @Nullable Rejection ports() {
    return used.free(wants.hostPorts())
        ? null
        : predicate(
            "NodePorts", "node(s) didn't have free ports for the requested pod ports", false);
  }

  private @Nullable Rejection taints() {
    return CriticalPods.isStatic(pod) || Tolerations.bear(wants.tolerations(), node.noExecute())
        ? null
        : predicate("TaintToleration", "node(s) had taints that the pod didn't tolerate", false);
  }

  private static Rejection predicate(String name, String what, boolean onlyLabels) {
    return new Rejection(name, "Predicate " + name + " failed: " + what, onlyLabels);
  }
}
