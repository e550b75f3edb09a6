package dev.vertlet.cri.container;

import dev.vertlet.cri.wire.CommonMessages.LinuxContainerResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Control files of memory that this host has, beside the limit itself. Containers never swap, and
 * with cgroup v2 all processes of a container end when it is out of memory, as by a kubelet's
 * defaults.
 *
 * @param unified whether the host has cgroup v2
 * @param swap whether the kernel counts swap by cgroup
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/kuberuntime_container_linux.go">
 *     ConfigureNoSwap, swapControllerAvailable, kubelet 1.36.3</a>
 */
record MemoryControls(boolean unified, boolean swap) {
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final Path OWN = Path.of("/proc/self/cgroup");

  /** Controls of this host; blocks. */
  static MemoryControls ofHost() {
    return of(CGROUPS, OWN);
  }

  /**
   * Controls of a host.
   *
   * @param cgroups where hierarchies are mounted
   * @param own file with the cgroups of this process
   */
  static MemoryControls of(Path cgroups, Path own) {
    if (!Files.exists(cgroups.resolve("cgroup.controllers"))) {
      return new MemoryControls(
          false, Files.exists(cgroups.resolve("memory/memory.memsw.limit_in_bytes")));
    }
    try {
      // the root of the hierarchy has no limits
      return new MemoryControls(
          true,
          Files.readAllLines(own).stream()
              .filter(line -> line.startsWith("0::/"))
              .map(line -> cgroups.resolve(line.substring("0::/".length())))
              .anyMatch(cgroup -> Files.exists(cgroup.resolve("memory.swap.max"))));
    } catch (IOException e) {
      return new MemoryControls(true, false);
    }
  }

  /** Adds values of the controls to the resources of a container. */
  LinuxContainerResources addTo(LinuxContainerResources given) {
    Map<String, String> files = new HashMap<>(given.unified());
    long memoryAndSwap = 0;
    if (unified) {
      files.put("memory.oom.group", "1");
      if (swap) {
        files.put("memory.swap.max", "0");
      }
    } else if (swap) {
      memoryAndSwap = given.memoryLimitInBytes(); // 0 without a limit, which sets nothing
    }
    return new LinuxContainerResources(
        given.cpuPeriod(),
        given.cpuQuota(),
        given.cpuShares(),
        given.memoryLimitInBytes(),
        given.oomScoreAdj(),
        given.cpusetCpus(),
        given.cpusetMems(),
        given.hugepageLimits(),
        files,
        memoryAndSwap);
  }
}
