package dev.vertlet.cri.wire;

import dev.vertlet.cri.wire.CommonMessages.UInt64Value;
import dev.vertlet.cri.wire.ContainerMessages.ContainerMetadata;
import dev.vertlet.cri.wire.ImageMessages.FilesystemUsage;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxMetadata;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages about what pods and containers use. */
public final class StatsMessages {
  private StatsMessages() {}

  /** {@code ContainerStatsFilter} of the protocol. */
  public record ContainerStatsFilter(
      @Field(1) String id,
      @Field(2) String podSandboxId,
      @Field(3) Map<String, String> labelSelector) {}

  /** {@code ListContainerStatsRequest} of the protocol. */
  public record ListContainerStatsRequest(@Field(1) @Nullable ContainerStatsFilter filter) {}

  /** {@code ListContainerStatsResponse} of the protocol. */
  public record ListContainerStatsResponse(@Field(1) List<ContainerStats> stats) {}

  /** {@code ContainerAttributes} of the protocol. */
  public record ContainerAttributes(
      @Field(1) String id,
      @Field(2) @Nullable ContainerMetadata metadata,
      @Field(3) Map<String, String> labels,
      @Field(4) Map<String, String> annotations) {}

  /** {@code ContainerStats} of the protocol. */
  public record ContainerStats(
      @Field(1) @Nullable ContainerAttributes attributes,
      @Field(2) @Nullable CpuUsage cpu,
      @Field(3) @Nullable MemoryUsage memory,
      @Field(4) @Nullable FilesystemUsage writableLayer,
      @Field(5) @Nullable SwapUsage swap,
      @Field(6) @Nullable IoUsage io) {}

  /** {@code PodSandboxStatsFilter} of the protocol. */
  public record PodSandboxStatsFilter(
      @Field(1) String id, @Field(2) Map<String, String> labelSelector) {}

  /** {@code ListPodSandboxStatsRequest} of the protocol. */
  public record ListPodSandboxStatsRequest(@Field(1) @Nullable PodSandboxStatsFilter filter) {}

  /** {@code ListPodSandboxStatsResponse} of the protocol. */
  public record ListPodSandboxStatsResponse(@Field(1) List<PodSandboxStats> stats) {}

  /** {@code PodSandboxAttributes} of the protocol. */
  public record PodSandboxAttributes(
      @Field(1) String id,
      @Field(2) @Nullable PodSandboxMetadata metadata,
      @Field(3) Map<String, String> labels,
      @Field(4) Map<String, String> annotations) {}

  /** {@code PodSandboxStats} of the protocol. */
  public record PodSandboxStats(
      @Field(1) @Nullable PodSandboxAttributes attributes,
      @Field(2) @Nullable LinuxPodSandboxStats linux) {}

  /** {@code LinuxPodSandboxStats} of the protocol. */
  public record LinuxPodSandboxStats(
      @Field(1) @Nullable CpuUsage cpu,
      @Field(2) @Nullable MemoryUsage memory,
      @Field(3) @Nullable NetworkUsage network,
      @Field(4) @Nullable ProcessUsage process,
      @Field(5) List<ContainerStats> containers,
      @Field(6) @Nullable IoUsage io) {}

  /** {@code NetworkUsage} of the protocol. */
  public record NetworkUsage(
      @Field(1) long timestamp,
      @Field(2) @Nullable NetworkInterfaceUsage defaultInterface,
      @Field(3) List<NetworkInterfaceUsage> interfaces) {}

  /** {@code NetworkInterfaceUsage} of the protocol. */
  public record NetworkInterfaceUsage(
      @Field(1) String name,
      @Field(2) @Nullable UInt64Value rxBytes,
      @Field(3) @Nullable UInt64Value rxErrors,
      @Field(4) @Nullable UInt64Value txBytes,
      @Field(5) @Nullable UInt64Value txErrors) {}

  /** {@code ProcessUsage} of the protocol. */
  public record ProcessUsage(
      @Field(1) long timestamp, @Field(2) @Nullable UInt64Value processCount) {}

  /** {@code PsiStats} of the protocol. */
  public record PsiStats(
      @Field(value = 1, name = "Full") @Nullable PsiData full,
      @Field(value = 2, name = "Some") @Nullable PsiData some) {}

  /** {@code PsiData} of the protocol. */
  public record PsiData(
      @Field(value = 1, name = "Total", type = "uint64") long total,
      @Field(value = 2, name = "Avg10") double avg10,
      @Field(value = 3, name = "Avg60") double avg60,
      @Field(value = 4, name = "Avg300") double avg300) {}

  /** {@code CpuUsage} of the protocol. */
  public record CpuUsage(
      @Field(1) long timestamp,
      @Field(2) @Nullable UInt64Value usageCoreNanoSeconds,
      @Field(3) @Nullable UInt64Value usageNanoCores,
      @Field(4) @Nullable PsiStats psi) {}

  /** {@code MemoryUsage} of the protocol. */
  public record MemoryUsage(
      @Field(1) long timestamp,
      @Field(2) @Nullable UInt64Value workingSetBytes,
      @Field(3) @Nullable UInt64Value availableBytes,
      @Field(4) @Nullable UInt64Value usageBytes,
      @Field(5) @Nullable UInt64Value rssBytes,
      @Field(6) @Nullable UInt64Value pageFaults,
      @Field(7) @Nullable UInt64Value majorPageFaults,
      @Field(8) @Nullable PsiStats psi) {}

  /** {@code IoUsage} of the protocol. */
  public record IoUsage(@Field(1) long timestamp, @Field(2) @Nullable PsiStats psi) {}

  /** {@code SwapUsage} of the protocol. */
  public record SwapUsage(
      @Field(1) long timestamp,
      @Field(2) @Nullable UInt64Value swapAvailableBytes,
      @Field(3) @Nullable UInt64Value swapUsageBytes) {}
}
