package dev.vertlet.provider;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a runtime measures of one node and the pods on it. What it does not measure is null: nothing
 * is then decided by it.
 *
 * @param measuredAt when; null for now. Figures that are no newer than those before do not cost a
 *     further pod its place
 * @param memory bytes
 * @param nodeFs bytes of the file system that holds what pods write
 * @param nodeFsInodes its inodes
 * @param imageFs bytes of the file system that holds images and what containers write into their
 *     own; null where that is {@code nodeFs}
 * @param imageFsInodes its inodes
 * @param pids numbers that processes can have
 * @param pods by UID. Of two pods the one that is missing here is the first to be evicted
 * @param stats of the node as a whole, to be shown
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

  /** What evictions go by, and nothing besides. */
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

  /** How much there is of something, and how much of that is free. */
  public record Supply(long available, long capacity) {}

  /** Part of a file system. */
  public record Disk(long bytes, long inodes) {
    public static final Disk NONE = new Disk(0, 0);

    /** Both together. */
    public Disk plus(Disk other) {
      return new Disk(bytes + other.bytes, inodes + other.inodes);
    }
  }

  /**
   * @param volumes what the pod's local volumes hold, which no container of it owns
   * @param processes in all containers
   * @param emptyDirs bytes in each emptyDir, by the volume's name; part of {@code volumes}
   * @param stats of the pod as a whole, to be shown; where it says nothing of processor and memory,
   *     what its containers take together is
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

    /** Where nothing is to be shown of the pod as a whole. */
    public PodUsage(
        List<ContainerUsage> containers,
        Disk volumes,
        long processes,
        Map<String, Long> emptyDirs) {
      this(containers, volumes, processes, emptyDirs, ResourceStats.NONE);
    }

    /** Where single volumes are not measured. */
    public PodUsage(List<ContainerUsage> containers, Disk volumes, long processes) {
      this(containers, volumes, processes, Map.of());
    }
  }

  /**
   * @param memory working set, bytes
   * @param rootFs what the container wrote into its own file system
   * @param stats what else is to be shown
   */
  public record ContainerUsage(
      String name, long memory, Disk rootFs, Disk logs, ResourceStats stats) {
    /** What evictions go by, and nothing besides. */
    public ContainerUsage(String name, long memory, Disk rootFs, Disk logs) {
      this(name, memory, rootFs, logs, ResourceStats.NONE);
    }
  }
}
