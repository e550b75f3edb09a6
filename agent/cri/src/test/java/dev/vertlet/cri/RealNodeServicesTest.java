package dev.vertlet.cri;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.cri.cgroup.ContainerResizes;
import dev.vertlet.cri.cgroup.KubepodsCgroups;
import dev.vertlet.cri.logs.LogRotator;
import dev.vertlet.cri.sandbox.PodCgroups;
import dev.vertlet.cri.sandbox.Sandboxes;
import dev.vertlet.cri.stats.StatsSource;
import dev.vertlet.cri.wire.CommonMessages.ImageSpec;
import dev.vertlet.cri.wire.CommonMessages.LinuxContainerResources;
import dev.vertlet.cri.wire.ContainerMessages.ContainerConfig;
import dev.vertlet.cri.wire.ContainerMessages.ContainerMetadata;
import dev.vertlet.cri.wire.ContainerMessages.CreateContainerRequest;
import dev.vertlet.cri.wire.ContainerMessages.ReopenContainerLogRequest;
import dev.vertlet.cri.wire.ContainerMessages.Signal;
import dev.vertlet.cri.wire.ContainerMessages.StartContainerRequest;
import dev.vertlet.cri.wire.ContainerMessages.StopContainerRequest;
import dev.vertlet.cri.wire.ContainerdEvents;
import dev.vertlet.cri.wire.GrpcChannel.Subscription;
import dev.vertlet.cri.wire.ImageMessages.PullImageRequest;
import dev.vertlet.cri.wire.RuntimeService;
import dev.vertlet.cri.wire.SandboxMessages.LinuxPodSandboxConfig;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxConfig;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxMetadata;
import dev.vertlet.cri.wire.StatsMessages.ContainerStats;
import dev.vertlet.cri.wire.StatusMessages.VersionRequest;
import dev.vertlet.host.logs.LogCursor;
import dev.vertlet.host.logs.RotatedLog;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.testing.TestPods;
import dev.vertlet.testsupport.BusyboxRegistry;
import dev.vertlet.testsupport.ManualClock;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs, control groups and measurements of one container on a real runtime. */
final class RealNodeServicesTest {
  private static final int LINES = 60_000;
  private static final long MEMORY = 48L << 20;

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path directory;

  private final String uid = UUID.randomUUID().toString();
  private final String root = "/vertlet-test-" + uid;
  private final PodView pod = TestPods.pod(uid).view();
  private final Map<String, String> labels = Map.of("vertlet-test", uid);

  @SuppressWarnings("NullAway.Init") // set before each test
  private Vertx vertx;

  @SuppressWarnings("NullAway.Init") // set before each test
  private CriClient client;

  @SuppressWarnings("NullAway.Init") // set before each test
  private PodCgroups cgroups;

  @SuppressWarnings("NullAway.Init") // set before each test
  private String sandbox;

  @SuppressWarnings("NullAway.Init") // set before each test
  private String parent;

  @SuppressWarnings("NullAway.Init") // set before each test
  private String container;

  @BeforeEach
  void run() throws IOException {
    Path socket = ContainerRuntimes.socket();
    vertx = Vertx.vertx();
    CriOptions options =
        new CriOptions(socket, socket, root, "", null, null, false, "", Map.of(), -1, 10 << 20, 5);
    client = CriClient.of(vertx, options);
    cgroups = Waits.get(KubepodsCgroups.open(vertx, root, -1));
    parent = Waits.get(cgroups.prepare(pod));
    PodSandboxConfig config =
        new PodSandboxConfig(
            new PodSandboxMetadata("p", uid, "default", 0),
            "p",
            directory.toString(),
            null,
            List.of(),
            labels,
            Map.of(),
            new LinuxPodSandboxConfig(parent, null, Map.of(), null, null));
    sandbox = Waits.get(new Sandboxes(client.runtime()).run(config, "")).id();
    try (BusyboxRegistry registry = new BusyboxRegistry(vertx)) {
      ImageSpec image = new ImageSpec(registry.image(), Map.of(), "", "", "");
      Waits.get(client.images().pullImage(new PullImageRequest(image, null, config)));
      container =
          Waits.get(
                  client
                      .runtime()
                      .createContainer(
                          new CreateContainerRequest(sandbox, counting(image), config)))
              .containerId();
    }
    Waits.get(client.runtime().startContainer(new StartContainerRequest(container)));
  }

  private ContainerConfig counting(ImageSpec image) {
    return new ContainerConfig(
        new ContainerMetadata("main", 0),
        image,
        List.of("sh", "-c", "seq 1 " + LINES + "; exec sleep 3600"),
        List.of(),
        "",
        List.of(),
        List.of(),
        List.of(),
        labels,
        Map.of(),
        "0.log",
        false,
        false,
        false,
        null,
        List.of(),
        Signal.RUNTIME_DEFAULT);
  }

  @AfterEach
  void remove() {
    if (client == null) {
      return; // skipped
    }
    Waits.get(
        new Sandboxes(client.runtime())
            .remove(sandbox)
            .eventually(() -> cgroups.remove(pod.uid()))
            .eventually(cgroups::leave)
            .eventually(client::close)
            .eventually(vertx::close));
  }

  private List<Path> groups() throws IOException {
    return Files.readAllLines(Path.of("/proc/mounts")).stream()
        .map(line -> line.split(" "))
        .filter(fields -> fields[2].startsWith("cgroup"))
        .map(fields -> Path.of(fields[1]).resolve(parent.substring(1)))
        .filter(Files::exists)
        .toList();
  }

  private List<String> read() throws IOException {
    ContainerTarget target = new ContainerTarget(new PodRef("n", "p", uid), "node", "main", "");
    LogRequest all =
        new LogRequest(target, false, false, false, null, null, null, LogRequest.Stream.ALL);
    Buffer text = Buffer.buffer();
    try (LogCursor cursor = new LogCursor(new RotatedLog(directory.resolve("0.log")), all)) {
      for (Buffer next = cursor.read(); next != null; next = cursor.read()) {
        text.appendBuffer(next);
      }
    }
    return text.toString().lines().toList();
  }

  @Test
  void noLineIsLostOrDoubledWhileTheLogIsRotated() throws IOException {
    ManualClock clock = new ManualClock(Instant.parse("2026-01-02T03:04:05Z"));
    LogRotator rotator =
        new LogRotator(
            vertx,
            clock,
            () -> List.of(new LogRotator.Target(container, directory.resolve("0.log"))),
            id -> client.runtime().reopenContainerLog(new ReopenContainerLogRequest(id)).mapEmpty(),
            new LogRotator.Limits(50_000, 1000));

    List<String> expected = IntStream.rangeClosed(1, LINES).mapToObj(String::valueOf).toList();
    Waits.eventually(
        () -> {
          Waits.get(rotator.run());
          clock.advance(Duration.ofSeconds(10));
          assertThat(read()).hasSize(LINES);
        });

    assertThat(read()).isEqualTo(expected);
    assertThat(Objects.requireNonNull(directory.toFile().list()).length).isGreaterThan(1);
  }

  @Test
  void aContainerIsBelowItsPodAndGoesWithIt() throws Exception {
    assertThat(groups()).isNotEmpty().anyMatch(g -> Files.exists(g.resolve(container)));

    Waits.get(new Sandboxes(client.runtime()).remove(sandbox));
    Waits.get(cgroups.remove(pod.uid()));

    assertThat(groups()).isEmpty();
  }

  @Test
  void aRunningContainerIsResized() throws IOException {
    ContainerResizes resizes =
        new ContainerResizes(
            cgroups,
            request -> client.runtime().updateContainerResources(request),
            id -> Future.succeededFuture(List.of()));
    LinuxContainerResources wanted =
        new LinuxContainerResources(
            100_000, 50_000, 512, MEMORY, 0, "", "", List.of(), Map.of(), 0);

    Waits.get(resizes.change(new ContainerResizes.Change(pod, "main", container, wanted)));

    boolean found = false;
    for (Path group : groups()) {
      for (String file : List.of("memory.limit_in_bytes", "memory.max")) {
        Path limit = group.resolve(container).resolve(file);
        if (Files.exists(limit)) {
          found = true;
          assertThat(Files.readString(limit).strip()).isEqualTo(Long.toString(MEMORY));
        }
      }
    }
    assertThat(found).isTrue();
  }

  @Test
  void theRuntimeMeasuresTheContainersOfAnAgentAlone() {
    List<ContainerStats> measured =
        Waits.get(StatsSource.of(client.runtime(), client.images(), labels).containers()).stats();

    assertThat(measured).hasSize(1);
    ContainerStats one = measured.get(0);
    assertThat(Objects.requireNonNull(one.attributes()).id()).isEqualTo(container);
    assertThat(Objects.requireNonNull(one.memory()).workingSetBytes()).isNotNull();
    assertThat(Objects.requireNonNull(one.cpu()).usageCoreNanoSeconds()).isNotNull();
  }

  @Test
  @Tag("X04")
  void containerdSaysThatAContainersFirstProcessHasEnded() {
    List<String> ended = new CopyOnWriteArrayList<>();
    Subscription subscription = ContainerdEvents.exits(client.streams(), ended::add);
    // a call on the same connection, answered after the subscription has come
    Waits.get(
        new RuntimeService(client.streams(), client.streams()).version(new VersionRequest("v1")));

    Waits.get(client.runtime().stopContainer(new StopContainerRequest(container, 0)));

    Waits.eventually(() -> assertThat(ended).contains(container));
    assertThat(subscription.end().isComplete()).isFalse();
    subscription.cancel().run();
  }
}
