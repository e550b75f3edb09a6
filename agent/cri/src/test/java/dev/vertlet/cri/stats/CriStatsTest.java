package dev.vertlet.cri.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.cri.container.CachedPod;
import dev.vertlet.cri.container.KnownPods;
import dev.vertlet.cri.wire.CommonMessages.UInt64Value;
import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.GrpcStatus;
import dev.vertlet.cri.wire.ImageMessages.FilesystemUsage;
import dev.vertlet.cri.wire.ImageMessages.ImageFsInfoResponse;
import dev.vertlet.cri.wire.StatsMessages.ContainerAttributes;
import dev.vertlet.cri.wire.StatsMessages.ContainerStats;
import dev.vertlet.cri.wire.StatsMessages.CpuUsage;
import dev.vertlet.cri.wire.StatsMessages.LinuxPodSandboxStats;
import dev.vertlet.cri.wire.StatsMessages.ListContainerStatsResponse;
import dev.vertlet.cri.wire.StatsMessages.ListPodSandboxStatsResponse;
import dev.vertlet.cri.wire.StatsMessages.MemoryUsage;
import dev.vertlet.cri.wire.StatsMessages.NetworkInterfaceUsage;
import dev.vertlet.cri.wire.StatsMessages.NetworkUsage;
import dev.vertlet.cri.wire.StatsMessages.PodSandboxAttributes;
import dev.vertlet.cri.wire.StatsMessages.PodSandboxStats;
import dev.vertlet.cri.wire.StatsMessages.ProcessUsage;
import dev.vertlet.host.files.Workers;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.provider.node.ResourceStats;
import dev.vertlet.testsupport.ManualClock;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
final class CriStatsTest implements StatsSource {
  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path directory;

  private final Vertx vertx = Vertx.vertx();
  private final ManualClock clock = new ManualClock(START);
  private final List<CachedPod> pods = new ArrayList<>();
  private final List<ContainerStats> containers = new ArrayList<>();
  private final List<PodSandboxStats> sandboxes = new ArrayList<>();
  private @Nullable GrpcException sandboxFailure;
  private @Nullable GrpcException failure;
  private int calls;

  @SuppressWarnings("NullAway.Init") // set before each test
  private CriStats stats;

  @BeforeEach
  void open() {
    stats = new CriStats(this, () -> pods, new Workers(vertx), clock, directory);
  }

  @AfterEach
  void close() {
    Waits.get(vertx.close());
  }

  @Override
  public Future<ListContainerStatsResponse> containers() {
    calls++;
    return failure != null
        ? Future.failedFuture(failure)
        : Future.succeededFuture(new ListContainerStatsResponse(containers));
  }

  @Override
  public Future<ListPodSandboxStatsResponse> sandboxes() {
    return sandboxFailure != null
        ? Future.failedFuture(sandboxFailure)
        : Future.succeededFuture(new ListPodSandboxStatsResponse(sandboxes));
  }

  @Override
  public Future<ImageFsInfoResponse> images() {
    return Future.failedFuture(new GrpcException(GrpcStatus.UNIMPLEMENTED, "no"));
  }

  private static UInt64Value number(long value) {
    return new UInt64Value(value);
  }

  private static CpuUsage cpu(long seconds, long nanos) {
    return new CpuUsage(seconds * 1_000_000_000, number(nanos), null, null);
  }

  private static MemoryUsage memory(long workingSet) {
    return new MemoryUsage(
        1, number(workingSet), number(-1), number(2 * workingSet), number(7), null, null, null);
  }

  private static ContainerStats container(String id, @Nullable CpuUsage cpu, long workingSet) {
    return new ContainerStats(
        new ContainerAttributes(id, null, Map.of(), Map.of()),
        cpu,
        cpu == null ? null : memory(workingSet),
        new FilesystemUsage(1, null, number(4096), number(3)),
        null,
        null);
  }

  private static PodSandboxStats sandbox(String id) {
    NetworkInterfaceUsage eth =
        new NetworkInterfaceUsage("eth0", number(1), number(2), number(3), null);
    return new PodSandboxStats(
        new PodSandboxAttributes(id, null, Map.of(), Map.of()),
        new LinuxPodSandboxStats(
            cpu(10, 900),
            memory(300),
            new NetworkUsage(1, eth, List.of(eth)),
            new ProcessUsage(1, number(12)),
            List.of(),
            null));
  }

  private Path log(String name) throws IOException {
    Path log = directory.resolve(name).resolve("0.log");
    Files.createDirectories(directory.resolve(name));
    Files.writeString(log, "12345");
    Files.writeString(log.resolveSibling("0.log.20260102-030405.gz"), "123");
    Files.writeString(log.resolveSibling("1.log"), "of another instance");
    return log;
  }

  private CachedPod pod(String uid, String node) throws IOException {
    CachedPod pod = KnownPods.pod(uid, node, "s-" + uid);
    KnownPods.add(pod, "c-" + uid, log(uid), new Running(START));
    pods.add(pod);
    containers.add(container("c-" + uid, cpu(10, 500), 100));
    sandboxes.add(sandbox("s-" + uid));
    return pod;
  }

  private PodUsage usage(String node, String uid) {
    return Objects.requireNonNull(Waits.get(stats.usage(node)).pods().get(uid));
  }

  @Test
  void aContainerUsesWhatTheRuntimeMeasuresAndItsLogs() throws IOException {
    pod("u", "n");

    ContainerUsage used = usage("n", "u").containers().get(0);

    assertThat(used.name()).isEqualTo("c-u");
    assertThat(used.memory()).isEqualTo(100);
    assertThat(used.rootFs()).isEqualTo(new Disk(4096, 3));
    assertThat(used.logs()).isEqualTo(new Disk(8, 2));
    assertThat(used.stats().startedAt()).isEqualTo(START);
    assertThat(used.stats().cpu()).isEqualTo(new ResourceStats.Cpu(null, 500L));
    assertThat(used.stats().memory())
        .isEqualTo(new ResourceStats.Memory(100L, 200L, 7L, null, null));
  }

  @Test
  void aPodHasANetworkAndProcessesOfItsOwn() throws IOException {
    pod("u", "n");

    PodUsage used = usage("n", "u");

    assertThat(used.processes()).isEqualTo(12);
    assertThat(used.stats().startedAt()).isEqualTo(Instant.ofEpochSecond(5));
    assertThat(used.stats().network())
        .isEqualTo(
            new ResourceStats.Network(
                "eth0", List.of(new ResourceStats.Interface("eth0", 1L, 2L, 3L, null))));
    assertThat(Objects.requireNonNull(used.stats().memory()).workingSet()).isEqualTo(300);
  }

  @Test
  void currentCpuIsCalculatedFromTwoMeasurements() throws IOException {
    pod("u", "n");
    assertThat(usage("n", "u").containers()).hasSize(1);
    clock.advance(Duration.ofSeconds(10));
    containers.set(0, container("c-u", cpu(20, 5_000_000_500L), 100));

    ResourceStats.Cpu cpu = usage("n", "u").containers().get(0).stats().cpu();

    assertThat(cpu).isEqualTo(new ResourceStats.Cpu(500_000_000L, 5_000_000_500L));
  }

  @Test
  void whatHasEndedUsesNothing() throws IOException {
    CachedPod pod = pod("u", "n");
    KnownPods.add(pod, "ended", log("e"), new Terminated(0, 0, null, null, START, START, "ended"));
    containers.add(container("ended", cpu(10, 1), 1));
    KnownPods.add(pod, "dead", log("d"), new Running(START));
    containers.add(container("dead", null, 0));

    assertThat(usage("n", "u").containers())
        .extracting(ContainerUsage::name)
        .containsExactly("c-u");
  }

  @Test
  void oneMeasurementServesAllNodesUntilItIsOld() throws IOException {
    pod("a", "n1");
    pod("b", "n2");

    Future<NodeUsage> first = stats.usage("n1");
    Future<NodeUsage> second = stats.usage("n2");

    assertThat(Waits.get(first).pods()).containsOnlyKeys("a");
    assertThat(Waits.get(second).pods()).containsOnlyKeys("b");
    assertThat(Waits.get(stats.usage("other")).pods()).isEmpty();
    assertThat(calls).isEqualTo(1);
    clock.advance(Duration.ofSeconds(10));
    assertThat(Waits.get(stats.usage("n1")).measuredAt()).isEqualTo(START.plusSeconds(10));
    assertThat(calls).isEqualTo(2);
  }

  @Test
  void aRuntimeThatMeasuresNoSandboxesMeasuresContainers() throws IOException {
    pod("u", "n");
    sandboxFailure = new GrpcException(GrpcStatus.UNIMPLEMENTED, "unknown method");

    PodUsage used = usage("n", "u");

    assertThat(used.containers()).hasSize(1);
    assertThat(used.stats()).isEqualTo(ResourceStats.NONE);
  }

  @Test
  void aFailureIsNotKept() throws IOException {
    pod("u", "n");
    failure = new GrpcException(GrpcStatus.UNAVAILABLE, "away");
    assertThat(stats.usage("n").cause()).hasMessageContaining("away");
    failure = null;

    assertThat(usage("n", "u").containers()).hasSize(1);
  }

  @Test
  void theHostIsMeasuredToo() {
    NodeUsage used = Waits.get(stats.usage("n"));

    assertThat(Objects.requireNonNull(used.nodeFs()).capacity()).isPositive();
    assertThat(Objects.requireNonNull(used.pids()).available()).isPositive();
    assertThat(used.imageFs()).isNull();
    assertThat(used.stats().memory()).isNotNull();
  }
}
