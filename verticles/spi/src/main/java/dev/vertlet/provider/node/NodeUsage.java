package dev.vertlet.provider.node;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Usage of one node and its pods, as a runtime measures it. Values that are not measured are null
 * and never lead to a decision.
 *
 * @param measuredAt time of the measurement; null for now. Values that are no newer than the
 *     previous ones do not evict a further pod
 * @param memory bytes
 * @param nodeFs bytes of the file system that pods write to
 * @param nodeFsInodes inodes of {@code nodeFs}
 * @param imageFs bytes of the file system that holds images and the writable layers of containers;
 *     null if that is {@code nodeFs}
 * @param imageFsInodes inodes of {@code imageFs}
 * @param pids process ids
 * @param pods by UID. Eviction prefers pods that are missing here
 * @param stats of the node as a whole, for display
 */
public record NodeUsage(
    @Nullable Instant measuredAt,
    @Nullable Supply memory,
    @Nullable Supply nodeFs,
    @Nullable Supply nodeFsInodes,
    @Nullable Supply imageFs,
    @Nullable Supply imageFsInodes,
    @Nullable Supply pids,
    Map<String, PodUsage> pods,
    ResourceStats stats) {
  /** Nothing is measured. */
  public static final NodeUsage NONE =
      new NodeUsage(null, null, null, null, null, null, null, Map.of());

  public NodeUsage {
    pods = Map.copyOf(pods);
  }

  /** Creates usage without statistics: only the values that evictions use. */
  public NodeUsage(
      @Nullable Instant measuredAt,
      @Nullable Supply memory,
      @Nullable Supply nodeFs,
      @Nullable Supply nodeFsInodes,
      @Nullable Supply imageFs,
      @Nullable Supply imageFsInodes,
      @Nullable Supply pids,
      Map<String, PodUsage> pods) {
    this(
        measuredAt,
        memory,
        nodeFs,
        nodeFsInodes,
        imageFs,
        imageFsInodes,
        pids,
        pods,
        ResourceStats.NONE);
  }

  /** Available amount and total amount of one resource. */
  public record Supply(long available, long capacity) {}

  /** Part of a file system. */
  public record Disk(long bytes, long inodes) {
    public static final Disk NONE = new Disk(0, 0);

    /** Adds two amounts. */
    public Disk plus(Disk other) {
      return new Disk(bytes + other.bytes, inodes + other.inodes);
    }
  }

  /**
   * Usage of one pod.
   *
   * @param volumes usage of the pod's local volumes, which belongs to no container
   * @param processes in all containers
   * @param emptyDirs bytes in each emptyDir, by the volume's name; part of {@code volumes}
   * @param stats of the pod as a whole, for display; if CPU or memory is missing, the sum over its
   *     containers is shown
   */
  public record PodUsage(
      List<ContainerUsage> containers,
      Disk volumes,
      long processes,
      Map<String, Long> emptyDirs,
      ResourceStats stats) {
    public PodUsage {
      containers = List.copyOf(containers);
      emptyDirs = Map.copyOf(emptyDirs);
    }

    /** Creates usage without statistics of the pod as a whole. */
    public PodUsage(
        List<ContainerUsage> containers,
        Disk volumes,
        long processes,
        Map<String, Long> emptyDirs) {
      this(containers, volumes, processes, emptyDirs, ResourceStats.NONE);
    }

    /** Creates usage without values of single volumes. */
    public PodUsage(List<ContainerUsage> containers, Disk volumes, long processes) {
      this(containers, volumes, processes, Map.of());
    }
  }

  /**
   * Usage of one container.
   *
   * @param memory working set, bytes
   * @param rootFs usage of the container's writable layer
   * @param stats further values for display
   */
  public record ContainerUsage(
      String name, long memory, Disk rootFs, Disk logs, ResourceStats stats) {
    /** Creates usage without statistics: only the values that evictions use. */
    public ContainerUsage(String name, long memory, Disk rootFs, Disk logs) {
      this(name, memory, rootFs, logs, ResourceStats.NONE);
    }
  }
}
