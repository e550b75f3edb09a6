package dev.vertlet.admission;

import dev.vertlet.model.PlacementView;
import dev.vertlet.model.PodRequests;
import dev.vertlet.model.PodView;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether a pod may run on its node. A function of what the node is, what its pods take, and what
 * the pod wants. Of several reasons against it, the first counts.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/lifecycle/predicate.go">
 *     lifecycle/predicate.go, kubelet 1.36.3</a>
 */
public final class Admission {
  private static final String OS_LABEL = "kubernetes.io/os";

  /** Written by a kubelet into pods that come from a file or a URL. */
  private static final String CONFIG_SOURCE = "kubernetes.io/config.source";

  private final NodeFacts node;
  private final NodeLedger used;
  private final PodView pod;
  private final PlacementView wants;

  private Admission(NodeFacts node, NodeLedger used, PodView pod) {
    this.node = node;
    this.used = used;
    this.pod = pod;
    this.wants = pod.spec().placement();
  }

  /**
   * @param used without this pod
   * @return null for a pod that may run
   */
  public static @Nullable Rejection check(NodeFacts node, NodeLedger used, PodView pod) {
    return new Admission(node, used, pod).check();
  }

  private @Nullable Rejection check() {
    Rejection os = os();
    if (os != null) {
      return os;
    }
    Rejection resources = node.measured() ? resources() : null;
    if (resources != null) {
      return resources;
    }
    Rejection other = ports();
    other = other == null ? taints() : other;
    if (!NodeAffinity.fits(node, wants)) {
      return predicate(
          "NodeAffinity", "node(s) didn't match Pod's node affinity/selector", other == null);
    }
    return other;
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
    if (used.pods() + 1 > node.pods()) {
      return outOf("pods", 1, used.pods(), node.pods());
    }
    PodRequests asked = wants.requests();
    if (asked.isEmpty()) {
      return null;
    }
    PodRequests has = node.allocatable();
    Rejection found = fit("cpu", asked.milliCpu(), used.milliCpu(), has.milliCpu());
    if (found == null) {
      found = fit("memory", asked.memory(), used.memory(), has.memory());
    }
    if (found == null) {
      found =
          fit(
              "ephemeral-storage",
              asked.ephemeralStorage(),
              used.ephemeralStorage(),
              has.ephemeralStorage());
    }
    return found == null && !asked.others().isEmpty() ? others(asked, has) : found;
  }

  private @Nullable Rejection others(PodRequests asked, PodRequests has) {
    for (var request : new TreeMap<>(asked.others()).entrySet()) {
      String resource = request.getKey();
      Long capacity = has.others().get(resource);
      if (capacity == null && extended(resource)) {
        // one of the cluster, not of the node
        continue;
      }
      Rejection found =
          fit(resource, request.getValue(), used.other(resource), capacity == null ? 0 : capacity);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Not Kubernetes' own: those have no domain, or one of its own. */
  private static boolean extended(String resource) {
    return resource.indexOf('/') >= 0 && !resource.contains("kubernetes.io/");
  }

  private static @Nullable Rejection fit(String resource, long asked, long used, long capacity) {
    return asked > 0 && asked > capacity - used ? outOf(resource, asked, used, capacity) : null;
  }

  private static Rejection outOf(String resource, long asked, long used, long capacity) {
    return new Rejection(
        "OutOf" + resource,
        "Node didn't have enough resource: "
            + resource
            + ", requested: "
            + asked
            + ", used: "
            + used
            + ", capacity: "
            + capacity,
        false);
  }

  private @Nullable Rejection ports() {
    return used.free(wants.hostPorts())
        ? null
        : predicate(
            "NodePorts", "node(s) didn't have free ports for the requested pod ports", false);
  }

  private @Nullable Rejection taints() {
    String source = pod.annotations().getOrDefault(CONFIG_SOURCE, "api");
    return !source.equals("api") || Tolerations.bear(wants.tolerations(), node.noExecute())
        ? null
        : predicate("TaintToleration", "node(s) had taints that the pod didn't tolerate", false);
  }

  private static Rejection predicate(String name, String what, boolean onlyLabels) {
    return new Rejection(name, "Predicate " + name + " failed: " + what, onlyLabels);
  }
}
