package dev.vertlet.process;

import dev.vertlet.host.cgroup.Cgroups;
import dev.vertlet.host.node.HostNode;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.process.shim.MountMode;
import dev.vertlet.process.store.StoredContainer;
import dev.vertlet.provider.node.NodeSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What nodes say of this machine, of how it holds containers to their limits, and of their mounts.
 *
 * @param host what they say of the machine
 * @param mounts null until the shim has run
 */
record ProcessNode(HostNode host, Cgroups cgroups, @Nullable MountMode mounts) {
  /** Annotation with the means that limit containers: {@code cgroup v1}, for example. */
  static final String LIMITS = "vertlet.dev/process-limits";

  /** Annotation with how containers see their volumes. */
  static final String MOUNTS = "vertlet.dev/process-mounts";

  private static final String CONDITION = "ContainerLimits";

  ProcessNode with(MountMode known) {
    return new ProcessNode(host, cgroups, known);
  }

  /** Adds what is known to a node. */
  NodeSpec over(NodeSpec spec) {
    Map<String, String> annotations = new HashMap<>(spec.annotations());
    annotations.put(LIMITS, cgroups.available() ? "cgroup " + cgroups.version() : "rlimits");
    if (mounts != null) {
      annotations.put(MOUNTS, mounts.kind());
    }
    NodeSpec node = host.over(spec);
    Map<String, String> info = new HashMap<>(node.nodeInfo());
    info.computeIfPresent(
        "containerRuntimeVersion",
        (field, version) -> StoredContainer.SCHEME + version.replaceFirst("^.*://", ""));
    return new NodeSpec(
        node.name(),
        node.labels(),
        annotations,
        node.taints(),
        node.capacity(),
        node.allocatable(),
        node.addresses(),
        info,
        node.podCidr(),
        node.features(),
        node.images());
  }

  /** Whether limits are enforced, and by what. */
  NodeConditionView condition() {
    List<String> missing =
        Stream.of("cpu", "memory", "pids").filter(each -> !cgroups.limits(each)).toList();
    if (missing.isEmpty()) {
      return condition(
          "True",
          "Cgroups",
          "CPU, memory and processes of containers are limited by cgroup " + cgroups.version());
    }
    String memory =
        missing.contains("memory")
            ? "; a memory limit holds for each process alone (RLIMIT_DATA)"
            : "";
    return condition(
        "False",
        cgroups.available() ? "CgroupsIncomplete" : "NoCgroups",
        "not limited by cgroups: " + String.join(", ", missing) + memory + because());
  }

  private String because() {
    return cgroups.problem().isEmpty() ? "" : " (" + cgroups.problem() + ")";
  }

  private static NodeConditionView condition(String status, String reason, String message) {
    return new NodeConditionView(CONDITION, status, reason, message, null, null);
  }
}
