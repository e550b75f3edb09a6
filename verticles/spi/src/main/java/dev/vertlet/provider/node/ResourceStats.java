package dev.vertlet.provider.node;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measurements of a node, a pod or a container, for display to users and autoscalers. Nothing is
 * decided by them. Values that are not measured are null and are omitted, not shown as zero.
 *
 * @param startedAt begin of the measurement: the start of the node, the pod's sandbox or the
 *     container's instance
 * @param network of a node or a pod; containers share their pod's
 */
public record ResourceStats(
    @Nullable Instant startedAt,
    @Nullable Cpu cpu,
    @Nullable Memory memory,
    @Nullable Swap swap,
    @Nullable Network network) {
  /** Nothing is measured. */
  public static final ResourceStats NONE = new ResourceStats(null, null, null, null, null);

  /** Creates statistics without memory details: the working set is reported elsewhere. */
  public ResourceStats(@Nullable Instant startedAt, @Nullable Cpu cpu) {
    this(startedAt, cpu, null, null, null);
  }

  /**
   * CPU usage.
   *
   * @param nanoCores current usage: billionths of a core, over all cores
   * @param coreNanoSeconds total usage since {@link #startedAt}: nanoseconds, over all cores; never
   *     decreases while {@link #startedAt} is unchanged
   */
  public record Cpu(@Nullable Long nanoCores, @Nullable Long coreNanoSeconds) {}

  /**
   * Memory in bytes, faults as counts.
   *
   * @param workingSet of a node or a pod; if null, it is derived from the node's supply or the
   *     pod's containers. A container's is {@link NodeUsage.ContainerUsage#memory}
   * @param usage all memory in use, however long ago it was touched; not below the working set
   * @param rss anonymous memory
   * @param pageFaults since {@link #startedAt}
   * @param majorPageFaults those that read from a disk
   */
  public record Memory(
      @Nullable Long workingSet,
      @Nullable Long usage,
      @Nullable Long rss,
      @Nullable Long pageFaults,
      @Nullable Long majorPageFaults) {}

  /**
   * Swap in bytes.
   *
   * @param available remaining up to the limit; null without a limit
   */
  public record Swap(@Nullable Long usage, @Nullable Long available) {}

  /**
   * Network interfaces.
   *
   * @param defaultInterface name of the interface that is shown first; empty for none
   */
  public record Network(String defaultInterface, List<Interface> interfaces) {
    public Network {
      interfaces = List.copyOf(interfaces);
    }
  }

  /** One interface: bytes and errors since {@link #startedAt}, received and sent. */
  public record Interface(
      String name,
      @Nullable Long rxBytes,
      @Nullable Long rxErrors,
      @Nullable Long txBytes,
      @Nullable Long txErrors) {}
}
