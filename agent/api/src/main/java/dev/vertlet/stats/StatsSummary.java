package dev.vertlet.stats;

import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.Supply;
import dev.vertlet.provider.node.ResourceStats;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Document at {@code /stats/summary}.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubelet/blob/v0.36.3/pkg/apis/stats/v1alpha1/types.go">
 *     stats/v1alpha1, Kubernetes 1.36.3</a>
 */
public final class StatsSummary {
  /** Content type of a kubelet's response. */
  public static final String CONTENT_TYPE = "application/json";

  /** Query parameter that requests only CPU and memory. */
  public static final String ONLY_CPU_AND_MEMORY = "only_cpu_and_memory";

  private final Measured measured;
  private final boolean brief;
  private final String time;

  private StatsSummary(Measured measured, boolean brief) {
    this.measured = measured;
    this.brief = brief;
    this.time = time(measured.at());
  }

  /**
   * Returns whether the values of {@link #ONLY_CPU_AND_MEMORY} request it: exactly one value, and
   * it is true.
   */
  public static boolean onlyCpuAndMemory(List<String> values) {
    return values.size() == 1 && values.get(0).equals("true");
  }

  /**
   * Writes the document.
   *
   * @param onlyCpuAndMemory whether the document contains nothing else
   */
  public static Buffer json(Measured measured, boolean onlyCpuAndMemory) {
    return new StatsSummary(measured, onlyCpuAndMemory).document().toBuffer();
  }

  private JsonObject document() {
    JsonArray pods = new JsonArray();
    measured.measuredPods().forEach(pod -> pods.add(pod(pod)));
    return new JsonObject().put("node", node()).put("pods", pods);
  }

  private JsonObject node() {
    NodeUsage usage = measured.usage();
    Supply memory = usage.memory();
    JsonObject json = new JsonObject().put("nodeName", measured.node().name());
    start(json, usage.stats().startedAt());
    cpu(json, usage.stats().cpu());
    memory(
        json,
        usage.stats().memory(),
        measured.workingSet(),
        memory == null ? null : memory.available());
    if (!brief) {
      network(json, usage.stats().network());
      fs(json, "fs", usage.nodeFs(), usage.nodeFsInodes());
      JsonObject runtime = new JsonObject();
      fs(runtime, "imageFs", imageFs(), imageFsInodes());
      fs(runtime, "containerFs", imageFs(), imageFsInodes());
      if (!runtime.isEmpty()) {
        json.put("runtime", runtime);
      }
      processes(json, usage.pids());
    }
    swap(json, usage.stats().swap());
    return json;
  }

  private @Nullable Supply imageFs() {
    Supply own = measured.usage().imageFs();
    return own == null ? measured.usage().nodeFs() : own;
  }

  private @Nullable Supply imageFsInodes() {
    boolean own = measured.usage().imageFs() != null;
    return own ? measured.usage().imageFsInodes() : measured.usage().nodeFsInodes();
  }

  private void processes(JsonObject json, @Nullable Supply pids) {
    if (pids != null) {
      json.put(
          "rlimit",
          timed()
              .put("maxpid", pids.capacity())
              .put("curproc", pids.capacity() - pids.available()));
    }
  }

  private JsonObject pod(MeasuredPod pod) {
    JsonArray containers = new JsonArray();
    pod.usage().containers().forEach(container -> containers.add(container(pod, container)));
    ResourceStats stats = pod.usage().stats();
    JsonObject json =
        new JsonObject()
            .put(
                "podRef",
                new JsonObject()
                    .put("name", pod.ref().name())
                    .put("namespace", pod.ref().namespace())
                    .put("uid", pod.ref().uid()));
    Instant started = stats.startedAt();
    start(json, started == null ? pod.pod().status().startTime() : started);
    json.put("containers", containers);
    cpu(json, pod.cpu());
    memory(json, stats.memory(), pod.workingSet(), null);
    if (!brief) {
      network(json, stats.network());
      volumes(json, pod);
      json.put("ephemeral-storage", used(pod.ephemeralStorage()));
      json.put("process_stats", new JsonObject().put("process_count", pod.usage().processes()));
    }
    swap(json, stats.swap());
    return json;
  }

  private void volumes(JsonObject json, MeasuredPod pod) {
    if (pod.usage().emptyDirs().isEmpty()) {
      return;
    }
    JsonArray volumes = new JsonArray();
    new TreeMap<>(pod.usage().emptyDirs())
        .forEach(
            (name, bytes) ->
                volumes.add(
                    onDisk(measured.usage().nodeFs(), measured.usage().nodeFsInodes())
                        .put("usedBytes", bytes)
                        .put("name", name)));
    json.put("volume", volumes);
  }

  private JsonObject container(MeasuredPod pod, ContainerUsage container) {
    JsonObject json = new JsonObject().put("name", container.name());
    start(json, container.stats().startedAt());
    cpu(json, container.stats().cpu());
    Long limit = pod.memoryLimit(container.name());
    Long available = limit == null ? null : Math.max(0, limit - container.memory());
    memory(json, container.stats().memory(), container.memory(), available);
    if (!brief) {
      json.put("rootfs", used(container.rootFs()));
      json.put("logs", used(container.logs()));
    }
    swap(json, container.stats().swap());
    return json;
  }

  /** Writes the start time; JSON null for unknown, as the field is not optional. */
  private static void start(JsonObject json, @Nullable Instant started) {
    json.put("startTime", started == null ? null : time(started));
  }

  private void cpu(JsonObject json, ResourceStats.@Nullable Cpu cpu) {
    if (cpu != null) {
      JsonObject own = timed();
      put(own, "usageNanoCores", cpu.nanoCores());
      put(own, "usageCoreNanoSeconds", cpu.coreNanoSeconds());
      json.put("cpu", own);
    }
  }

  private void memory(
      JsonObject json,
      ResourceStats.@Nullable Memory memory,
      @Nullable Long workingSet,
      @Nullable Long available) {
    if (memory == null && workingSet == null) {
      return;
    }
    JsonObject own = timed();
    put(own, "availableBytes", available);
    put(own, "usageBytes", memory == null ? null : memory.usage());
    put(own, "workingSetBytes", workingSet);
    if (memory != null) {
      put(own, "rssBytes", memory.rss());
      put(own, "pageFaults", memory.pageFaults());
      put(own, "majorPageFaults", memory.majorPageFaults());
    }
    json.put("memory", own);
  }

  private void swap(JsonObject json, ResourceStats.@Nullable Swap swap) {
    if (swap != null) {
      JsonObject own = timed();
      put(own, "swapAvailableBytes", swap.available());
      put(own, "swapUsageBytes", swap.usage());
      json.put("swap", own);
    }
  }

  private void network(JsonObject json, ResourceStats.@Nullable Network network) {
    if (network == null) {
      return;
    }
    JsonObject own = timed().put("name", "");
    JsonArray all = new JsonArray();
    for (ResourceStats.Interface link : network.interfaces()) {
      JsonObject one = link(link);
      all.add(one);
      if (link.name().equals(network.defaultInterface())) {
        own.mergeIn(one);
      }
    }
    json.put("network", own.put("interfaces", all));
  }

  private static JsonObject link(ResourceStats.Interface link) {
    JsonObject json = new JsonObject().put("name", link.name());
    put(json, "rxBytes", link.rxBytes());
    put(json, "rxErrors", link.rxErrors());
    put(json, "txBytes", link.txBytes());
    put(json, "txErrors", link.txErrors());
    return json;
  }

  private void fs(JsonObject json, String name, @Nullable Supply bytes, @Nullable Supply inodes) {
    if (bytes == null && inodes == null) {
      return;
    }
    JsonObject own = onDisk(bytes, inodes);
    if (bytes != null) {
      own.put("usedBytes", bytes.capacity() - bytes.available());
    }
    if (inodes != null) {
      own.put("inodesUsed", inodes.capacity() - inodes.available());
    }
    json.put(name, own);
  }

  /** Returns the disk usage of a container or pod with the disk's size. */
  private JsonObject used(Disk disk) {
    JsonObject json = onDisk(imageFs(), imageFsInodes()).put("usedBytes", disk.bytes());
    return imageFsInodes() == null ? json : json.put("inodesUsed", disk.inodes());
  }

  private JsonObject onDisk(@Nullable Supply bytes, @Nullable Supply inodes) {
    JsonObject json = timed();
    if (bytes != null) {
      json.put("availableBytes", bytes.available()).put("capacityBytes", bytes.capacity());
    }
    if (inodes != null) {
      json.put("inodesFree", inodes.available()).put("inodes", inodes.capacity());
    }
    return json;
  }

  private JsonObject timed() {
    return new JsonObject().put("time", time);
  }

  private static void put(JsonObject json, String name, @Nullable Long value) {
    if (value != null) {
      json.put(name, value);
    }
  }

  private static String time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
