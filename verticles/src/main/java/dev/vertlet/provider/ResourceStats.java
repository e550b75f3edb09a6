package dev.vertlet.provider;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of a node, a pod or a container, for people and autoscalers to see. Nothing is
 * decided by it here. What is not measured is null and is not shown, rather than shown as nothing.
 *
 * @param startedAt since when it is measured: the start of the node, the pod's sandbox or the
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

  /** Where memory is told by its working set alone, and nothing else is measured. */
  public ResourceStats(@Nullable Instant startedAt, @Nullable Cpu cpu) {
    this(startedAt, cpu, null, null, null);
  }

  /**
   * @param nanoCores what is used now: billionths of a core, over all cores
   * @param coreNanoSeconds all that was used since {@link #startedAt}: nanoseconds, over all cores;
   *     never falls as long as that stays the same
   */
  public record Cpu(@Nullable Long nanoCores, @Nullable Long coreNanoSeconds) {}

  /**
   * Bytes and numbers.
   *
   * @param workingSet of a node or a pod, for which it is otherwise what its supply or its
   *     containers say; a container's is {@link NodeUsage.ContainerUsage#memory}
   * @param usage all that is in use, whenever it was last touched; not below the working set
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
   * Bytes.
   *
   * @param available of the limit; null where there is none
   */
  public record Swap(@Nullable Long usage, @Nullable Long available) {}

  /**
   * @param defaultInterface name of the one that is shown first; empty for none
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
