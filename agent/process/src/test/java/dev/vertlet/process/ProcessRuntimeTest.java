package dev.vertlet.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.host.files.Directories;
import dev.vertlet.host.files.StateFiles;
import dev.vertlet.host.proc.Proc;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.container.ProbeView;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.process.RuntimeLab.Pod;
import dev.vertlet.process.shim.Exit;
import dev.vertlet.process.shim.KeyValues;
import dev.vertlet.process.shim.ShimState;
import dev.vertlet.process.shim.ShimTest;
import dev.vertlet.process.store.StoredContainer;
import dev.vertlet.provider.container.ContainerMount;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.tck.Client;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
final class ProcessRuntimeTest {
  private static final Duration GRACE = Duration.ofSeconds(30);

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path root;

  @SuppressWarnings("NullAway.Init") // set before each test
  private RuntimeLab lab;

  @BeforeEach
  void openLab() {
    lab = new RuntimeLab(root).restart();
  }

  @AfterEach
  void closeLab() throws IOException {
    lab.close();
  }

  private static ContainerTarget target(Pod pod, ContainerRecord container) {
    return new ContainerTarget(pod.ref(), RuntimeLab.NODE, "main", "")
        .instance(container.id(), new ContainerTarget.Facts(pod.view(), container.state()));
  }

  private String log(Pod pod, ContainerRecord container, boolean follow, @Nullable Long tail) {
    Client client = Client.listening();
    LogRequest request =
        new LogRequest(
            target(pod, container), follow, false, false, null, tail, null, LogRequest.Stream.ALL);
    lab.call(() -> lab.runtime().streams().logs(request, client.out(), client.gone()));
    return client.out().text();
  }

  private String log(Pod pod, ContainerRecord container) {
    return log(pod, container, true, null);
  }

  @Test
  void anEndKeepsItsCodeAndReason() {
    ContainerRecord fine = lab.run(lab.pod("a", "true"));
    ContainerRecord bad = lab.run(lab.pod("b", "sh", "-c", "exit 3"));

    assertThat(lab.end(fine.id())).matches(end -> end.exitCode() == 0);
    assertThat(Objects.requireNonNull(lab.end(fine.id()).reason())).isEqualTo("Completed");
    assertThat(lab.end(bad.id()))
        .matches(end -> end.exitCode() == 3 && "Error".equals(end.reason()))
        .matches(end -> bad.id().equals(end.containerId()) && end.finishedAt() != null);
  }

  @Test
  @Tag("P02")
  void aNewAgentFindsCodesOfWhatEndedMeanwhileAndAdoptsTheRest() throws IOException {
    Path gate = root.resolve("gate");
    String wait = "until test -e " + gate + "; do sleep 0.1; done; ";
    Pod fine = lab.pod("fine", "sh", "-c", wait + "echo last");
    Pod bad = lab.pod("bad", "sh", "-c", wait + "exit 3");
    Pod killed = lab.pod("killed", "sleep", "1000");
    Pod kept = lab.pod("kept", "sh", "-c", "echo here; exec sleep 1000");
    List<ContainerRecord> started = Stream.of(fine, bad, killed, kept).map(lab::run).toList();
    lab.call(() -> lab.runtime().stop());

    Files.createFile(gate);
    ShimState state = lab.shim(killed);
    ProcessHandle.of(state.pid()).orElseThrow().destroyForcibly();
    await().until(() -> Files.exists(lab.directory(fine, 0).resolve(Exit.FILE)));
    await().until(() -> Files.exists(lab.directory(bad, 0).resolve(Exit.FILE)));
    await().until(() -> Files.exists(lab.directory(killed, 0).resolve(Exit.FILE)));
    lab.restart();

    assertThat(started.subList(0, 3).stream().map(c -> lab.end(c.id()).exitCode()))
        .containsExactly(0, 3, 137);
    assertThat(log(fine, started.get(0))).isEqualTo("last\n");
    ContainerRecord adopted = lab.listed(started.get(3).id());
    assertThat(adopted).isEqualTo(started.get(3));
    assertThat(lab.call(() -> lab.runtime().restore(kept.view())).orElseThrow().sandbox())
        .isNotNull();
    lab.stop(kept, adopted.id(), GRACE);
    assertThat(lab.end(adopted.id()).exitCode()).isEqualTo(143);
  }

  @Test
  @Tag("P06")
  void aProcessWithTheSameNumberIsNeitherAdoptedNorKilled()
      throws IOException, InterruptedException {
    Pod pod = lab.pod("a", "sleep", "1000");
    ContainerRecord container = lab.run(pod);
    lab.call(() -> lab.runtime().stop());
    ShimState state = lab.shim(pod);
    ProcessHandle.of(state.shim()).orElseThrow().destroyForcibly();
    await().until(() -> !Proc.runs(state.pid(), state.pidStart()));
    Process stranger = new ProcessBuilder("sleep", "1000").start();
    try {
      Path file = lab.directory(pod, 0).resolve("state");
      String forged =
          Files.readString(file)
              .replace("shim=" + state.shim(), "shim=" + stranger.pid())
              .replace("pid=" + state.pid(), "pid=" + stranger.pid());
      StateFiles.write(file, forged);

      lab.restart();

      assertThat(lab.end(container.id()))
          .matches(end -> end.exitCode() == 137 && "ContainerStatusUnknown".equals(end.reason()));
      lab.stop(pod, container.id(), Duration.ZERO);
      lab.call(() -> lab.runtime().removeSandbox(pod.ref()));
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      Waits.end(stranger);
    }
  }

  @Test
  @Tag("P06")
  void whatRanBeforeARebootHasEnded() throws IOException {
    Pod pod = lab.pod("a", "sleep", "1000");
    ContainerRecord container = lab.run(pod);
    lab.call(() -> lab.runtime().stop());
    Path file = lab.directory(pod, 0).resolve("state");
    String text = Files.readString(file);
    ShimState state = ShimState.of(KeyValues.parse(text));
    StateFiles.write(file, text.replace(state.bootId(), "another-boot"));

    lab.restart();

    assertThat(lab.end(container.id()).reason()).isEqualTo("ContainerStatusUnknown");
    assertThat(Proc.runs(state.pid(), state.pidStart())).as("what has the number now").isTrue();
  }

  @Test
  void aKilledShimTakesItsContainerAlong() throws IOException {
    Pod pod = lab.pod("a", "sh", "-c", "(setsid sleep 1000 &); sleep 1000");
    ContainerRecord container = lab.run(pod);
    ShimState state = lab.shim(pod);

    ProcessHandle.of(state.shim()).orElseThrow().destroyForcibly();

    Terminated end = lab.end(container.id());
    assertThat(end.exitCode()).isEqualTo(137);
    assertThat(end.reason()).isEqualTo("ContainerStatusUnknown");
    assertThat(MarkedProcesses.kill(container.id().substring(StoredContainer.SCHEME.length())))
        .isZero();
    assertThat(root.resolve("run").resolve("s")).isEmptyDirectory();
    assertThat(lab.changes()).last().matches(change -> change.state().equals(end));
  }

  @Test
  void aProgramThatIsNotFoundIsAStartError() {
    Pod pod = lab.pod("a", "no-such-program");
    lab.call(() -> lab.sandbox(pod));

    Throwable failure = lab.failure(() -> lab.start(pod, 0, List.of()));

    String message =
        "unable to start container process:"
            + " exec: \"no-such-program\": executable file not found in $PATH";
    assertThat(failure).hasMessage(message);
    assertThat(ProviderException.reasonOf(failure, "")).isEqualTo("RunContainerError");
    await().until(() -> !lab.changes().isEmpty());
    assertThat(lab.changes()).hasSize(1);
    assertThat(lab.changes().get(0).state())
        .isInstanceOfSatisfying(
            Terminated.class,
            end -> {
              assertThat(end.exitCode()).isEqualTo(128);
              assertThat(end.reason()).isEqualTo("StartError");
              assertThat(end.message()).isEqualTo(message);
              assertThat(end.startedAt()).isEqualTo(Instant.EPOCH);
            });
  }

  @Test
  void aFileThatIsNotExecutableIsAStartError() throws IOException {
    Path file = Files.createFile(root.resolve("file"));

    assertThat(startError(lab.pod("a", file.toString())))
        .isEqualTo("exec: \"%s\": permission denied".formatted(file));
  }

  @Test
  void aMissingWorkingDirectoryIsAStartError() {
    assertThat(startError(lab.pod("a", "true").with("workingDir", "/no/such")))
        .isEqualTo("chdir to cwd (\"/no/such\") failed: no such file or directory");
  }

  /** Starts a pod that cannot start; returns its cause. */
  private String startError(Pod pod) {
    lab.call(() -> lab.sandbox(pod));
    Throwable failure = lab.failure(() -> lab.start(pod, 0, List.of()));
    await().until(() -> !lab.changes().isEmpty());
    assertThat(lab.changes().get(0).state())
        .isInstanceOfSatisfying(
            Terminated.class,
            end -> {
              assertThat(end.exitCode()).isEqualTo(128);
              assertThat(end.reason()).isEqualTo("StartError");
              assertThat(end.message()).isEqualTo(failure.getMessage());
            });
    String text = String.valueOf(failure.getMessage());
    assertThat(text).startsWith("unable to start container process: ");
    return text.substring("unable to start container process: ".length());
  }

  @Test
  void aShimThatCannotBeRunKeepsNodesFromBeingReadyUntilItCan() throws IOException {
    Path shim;
    try (Stream<Path> files = Files.list(root.resolve("run"))) {
      shim = files.filter(file -> file.toString().contains("shim-")).findFirst().orElseThrow();
    }
    Files.setPosixFilePermissions(shim, PosixFilePermissions.fromString("rw-r--r--"));
    lab.restart();
    Pod pod = lab.pod("a", "true");
    lab.call(() -> lab.sandbox(pod));

    assertThat(lab.failure(() -> lab.runtime().status()))
        .hasMessageStartingWith(
            "the shim cannot be run in %s, maybe because its file system is mounted noexec: "
                .formatted(root.resolve("run")));
    Throwable failure = lab.failure(() -> lab.start(pod, 0, List.of()));
    assertThat(ProviderException.reasonOf(failure, "")).isEqualTo("RunContainerError");
    assertThat(failure).hasMessageContaining("noexec");

    Files.setPosixFilePermissions(shim, PosixFilePermissions.fromString("rwxr-xr-x"));
    lab.call(() -> lab.runtime().status());
    assertThat(lab.end(lab.call(() -> lab.start(pod, 0, List.of())).id()).exitCode()).isZero();
  }

  @Test
  void anUnmappedImageIsNeverPulled() {
    Pod pod = lab.pod("a", "true").with("image", "registry.example.com/web:1");
    lab.call(() -> lab.sandbox(pod));

    Throwable failure = lab.failure(() -> lab.start(pod, 0, List.of()));

    assertThat(ProviderException.reasonOf(failure, "")).isEqualTo("ErrImageNeverPull");
    assertThat(failure)
        .hasMessageStartingWith(
            "Container image \"registry.example.com/web:1\" is not present with pull policy of"
                + " Never");
  }

  @Test
  void aContainerMayNotRunAsRootUnlessThatIsAllowed() throws IOException {
    Assumptions.assumeTrue(Proc.user() == 0, "the agent is not root");
    lab.with("allowRoot", false).restart();
    Pod pod = lab.pod("a", "true");
    lab.call(() -> lab.sandbox(pod));

    Throwable failure = lab.failure(() -> lab.start(pod, 0, List.of()));

    assertThat(ProviderException.reasonOf(failure, "")).isEqualTo("CreateContainerConfigError");
    assertThat(failure).hasMessageContaining("root");
  }

  @Test
  void aContainerRunsAsTheUserOfItsPod() throws IOException {
    Assumptions.assumeTrue(Proc.user() == 0, "only root can change users");
    Pod pod = lab.pod("a", "sh", "-c", "id -u; id -g; id -G");
    pod.with("securityContext", new JsonObject().put("runAsUser", 1234).put("runAsGroup", 2345));
    pod.json().getJsonObject("spec").put("securityContext", new JsonObject().put("fsGroup", 3456));

    ContainerRecord container = lab.run(pod);

    assertThat(log(pod, container)).isEqualTo("1234\n2345\n2345 3456\n");
    assertThat(Objects.requireNonNull(container.user()).uid()).isEqualTo(1234);
  }

  @Test
  void runAsNonRootRefusesRoot() throws IOException {
    Assumptions.assumeTrue(Proc.user() == 0, "the agent is not root");
    Pod pod =
        lab.pod("a", "true").with("securityContext", new JsonObject().put("runAsNonRoot", true));
    lab.call(() -> lab.sandbox(pod));

    assertThat(lab.failure(() -> lab.start(pod, 0, List.of())))
        .hasMessageStartingWith("container has runAsNonRoot and image will run as root (pod: \"a_");
  }

  @Test
  void aPortIsForOnePod() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    JsonArray ports = new JsonArray().add(new JsonObject().put("containerPort", port));
    Pod first = lab.pod("a", "sleep", "1000").with("ports", ports);
    Pod second = lab.pod("b", "sleep", "1000").with("ports", ports);
    lab.call(() -> lab.sandbox(first));

    Throwable failure = lab.failure(() -> lab.sandbox(second));
    assertThat(ProviderException.kindOf(failure)).isEqualTo(ProviderException.Kind.INVALID);
    assertThat(ProviderException.reasonOf(failure, "")).isEqualTo("NodePorts");
    lab.restart();
    assertThat(lab.failure(() -> lab.sandbox(second))).hasMessageContaining("NodePorts");
    lab.call(() -> lab.runtime().removeSandbox(first.ref()));
    lab.call(() -> lab.sandbox(second));
  }

  @Test
  void aPortOfAnotherProgramIsTaken() throws IOException {
    try (ServerSocket other = new ServerSocket(0)) {
      Pod pod =
          lab.pod("a", "true")
              .with(
                  "ports",
                  new JsonArray().add(new JsonObject().put("containerPort", other.getLocalPort())));

      assertThat(lab.failure(() -> lab.sandbox(pod))).hasMessageContaining("NodePorts");
      assertThat(lab.call(() -> lab.runtime().list())).isEmpty();
    }
  }

  @Test
  void mountsAreBelowTheRootThatTheEnvironmentNames() throws IOException {
    Path volume = Files.createDirectory(root.resolve("volume"));
    Files.writeString(volume.resolve("key"), "value");
    Pod pod = lab.pod("a", "sh", "-c", "cat $VERTLET_ROOT/etc/config/key");
    lab.call(() -> lab.sandbox(pod));

    ContainerRecord container =
        lab.call(() -> lab.start(pod, 0, List.of(mount("/etc/config", volume))));

    assertThat(log(pod, container)).isEqualTo("value");
  }

  @Test
  void withoutNamespacesMountsAreLinks() throws IOException {
    lab.with("mounts", "links").restart();
    Path volume = Files.createDirectory(root.resolve("volume"));
    Files.writeString(volume.resolve("key"), "value\n");
    Pod pod = lab.pod("a", "sh", "-c", "cat $VERTLET_ROOT/vertlet-a/key; echo $VERTLET_MOUNTS");
    lab.call(() -> lab.sandbox(pod));

    ContainerRecord container =
        lab.call(() -> lab.start(pod, 0, List.of(mount("/vertlet-a", volume))));

    assertThat(log(pod, container)).isEqualTo("value\nlinks\n");
  }

  @Test
  void withoutNamespacesVolumesOfImagesWithARootAreRefused() throws IOException {
    Path image = Files.createDirectory(root.resolve("image"));
    JsonArray images =
        new JsonArray().add(new JsonObject().put("pattern", "*").put("root", image.toString()));
    lab.with("mounts", "links").with("images", images).restart();
    Pod pod = lab.pod("a", "true");
    lab.call(() -> lab.sandbox(pod));

    Throwable failure = lab.failure(() -> lab.start(pod, 0, List.of(mount("/vertlet-a", image))));

    assertThat(ProviderException.reasonOf(failure, "")).isEqualTo("CreateContainerError");
    assertThat(failure)
        .hasMessage("volumes cannot be mounted in the directory of image host:1: turned off");
  }

  private static ContainerMount mount(String path, Path volume) {
    return new ContainerMount(
        "v", path, volume, true, false, ContainerMount.Propagation.PRIVATE, null);
  }

  @Test
  void withoutCgroupsAMemoryLimitHoldsForEachProcess() {
    Pod pod =
        lab.pod("a", "sh", "-c", "ulimit -d")
            .with(
                "resources",
                new JsonObject().put("limits", new JsonObject().put("memory", "64Mi")));

    assertThat(log(pod, lab.run(pod))).isEqualTo("65536\n");
    assertThat(lab.runtime().resizesContainers()).isFalse();
    assertThat(lab.runtime().conditions(RuntimeLab.NODE))
        .singleElement()
        .matches(condition -> condition.reason().equals("NoCgroups"));
  }

  @Test
  void podsWithoutRequestsAreKilledFirstWhenTheHostRunsOutOfMemory() {
    Pod pod = lab.pod("a", "cat", "/proc/self/oom_score_adj");

    assertThat(log(pod, lab.run(pod))).isEqualTo("1000\n");
  }

  @Test
  void nodesSayHowTheirContainersAreHeld() {
    assertThat(lab.runtime().configure(RuntimeLab.node()).annotations())
        .containsEntry("vertlet.dev/process-limits", "rlimits")
        .containsKey("vertlet.dev/process-mounts");
  }

  @Test
  void aWorkingDirectoryIsUsed() {
    Pod pod = lab.pod("a", "pwd").with("workingDir", "/usr");

    assertThat(log(pod, lab.run(pod))).isEqualTo("/usr\n");
  }

  @Test
  @Tag("P08")
  void aFollowedLogHasEachLineOnceAcrossRotation() {
    lab.with("containerLogMaxBytes", 10_000).with("containerLogMaxFiles", 1000).restart();
    int count = 20_000;
    Pod pod = lab.pod("a", "seq", Integer.toString(count));

    ContainerRecord container = lab.run(pod);

    assertThat(log(pod, container)).isEqualTo(ShimTest.numbers(count));
    assertThat(log(pod, container, false, 300L).lines()).hasSize(300).startsWith("19701");
  }

  @Test
  void logsOfARemovedSandboxAreLeft() {
    Pod pod = lab.pod("a", "echo", "done");
    ContainerRecord container = lab.run(pod);
    assertThat(lab.end(container.id()).exitCode()).isZero();

    lab.call(() -> lab.runtime().removeSandbox(pod.ref()));

    assertThat(log(pod, container)).isEqualTo("done\n");
  }

  @Test
  void aRemovedPodIsForgottenWithItsDirectory() throws IOException {
    Pod pod = lab.pod("a", "true");
    ContainerRecord container = lab.run(pod);
    assertThat(lab.end(container.id()).exitCode()).isZero();
    lab.call(() -> lab.runtime().removeSandbox(pod.ref()));
    assertThat(lab.call(() -> lab.runtime().list())).hasSize(1);

    Directories.delete(lab.pods().resolve(pod.ref().uid()));

    assertThat(lab.call(() -> lab.runtime().list())).isEmpty();
  }

  @Test
  @Tag("P07")
  void bytesThroughACommandAreEqual() {
    Pod pod = lab.pod("a", "sleep", "1000");
    ContainerRecord container = lab.run(pod);
    byte[] bytes = new byte[5_000_000];
    new Random(1).nextBytes(bytes);
    Client client = Client.sending();
    ExecRequest request = new ExecRequest(target(pod, container), List.of("cat"), false);

    Future<Integer> done = lab.begin(() -> lab.runtime().streams().exec(request, client));
    for (int at = 0; at < bytes.length; at += 50_000) {
      client.in().send(Buffer.buffer(bytes).slice(at, at + 50_000));
    }
    client.in().end();

    assertThat(Waits.get(done)).isZero();
    assertThat(client.out().bytes()).isEqualTo(Buffer.buffer(bytes));
  }

  @Test
  void aCommandHasItsCodeWhenASlowClientHasReadAll() {
    Pod pod = lab.pod("a", "sleep", "1000");
    ContainerRecord container = lab.run(pod);
    Client client = Client.listening();
    client.out().hold();
    ExecRequest request =
        new ExecRequest(target(pod, container), List.of("sh", "-c", "echo it; exit 5"), false);

    Future<Integer> done = lab.begin(() -> lab.runtime().streams().exec(request, client));
    await().until(() -> client.out().count() == 3);
    await().until(() -> noCommand(lab.shim(pod)));
    assertThat(done.isComplete()).isFalse();
    client.out().release();

    assertThat(Waits.get(done)).isEqualTo(5);
  }

  /** Whether the container's first process is the shim's only child. */
  private static boolean noCommand(ShimState shim) throws IOException {
    return Proc.all().stream().filter(process -> process.parent() == shim.shim()).count() == 1;
  }

  @Test
  @Tag("P07")
  void aTerminalFollowsTheSizeOfItsClient() {
    Pod pod = lab.pod("a", "sleep", "1000");
    ContainerRecord container = lab.run(pod);
    Client client = Client.atTerminal();
    client.resize(120, 30);
    ExecRequest request =
        new ExecRequest(
            target(pod, container),
            List.of("sh", "-c", "read a; stty size; read b; stty size"),
            true);

    Future<Integer> done = lab.begin(() -> lab.runtime().streams().exec(request, client));
    client.in().send("\n");
    await().until(() -> client.out().text().contains("30 120"));
    client.resize(90, 20);
    client.in().send("\n");

    assertThat(Waits.get(done)).isZero();
    assertThat(client.out().text()).contains("20 90");
  }

  @Test
  @Tag("P07")
  void attachReachesTheFirstProcess() {
    Pod pod = lab.pod("a", "sh", "-c", "read line; echo got $line; exit 6").with("stdin", true);
    ContainerRecord container = lab.run(pod);
    Client client = Client.sending();

    Future<Void> done =
        lab.begin(() -> lab.runtime().streams().attach(target(pod, container), false, client));
    client.in().send("it\n");

    Waits.get(done);
    assertThat(client.out().text()).isEqualTo("got it\n");
    assertThat(lab.end(container.id()).exitCode()).isEqualTo(6);
  }

  @Test
  void forwardsAPort() throws IOException {
    Pod pod = lab.pod("a", "sleep", "1000");
    lab.run(pod);
    try (ServerSocket server = new ServerSocket(0)) {
      Client client = Client.sending();
      Future<Void> done =
          lab.begin(
              () -> lab.runtime().streams().portForward(pod.ref(), server.getLocalPort(), client));
      client.in().send("question");
      client.in().end();
      try (var socket = server.accept()) {
        assertThat(socket.getInputStream().readAllBytes()).asString().isEqualTo("question");
        socket.getOutputStream().write("answer".getBytes());
      }
      Waits.get(done);
      assertThat(client.out().text()).isEqualTo("answer");
    }
  }

  @Test
  void probesRunCommandsAndConnect() throws IOException {
    Pod pod = lab.pod("a", "sleep", "1000");
    ContainerRecord container = lab.run(pod);

    assertThat(probe(pod, container, new HandlerView.Exec(List.of("true"))))
        .isEqualTo(ProbeResult.SUCCESS);
    assertThat(probe(pod, container, new HandlerView.Exec(List.of("sh", "-c", "echo no; exit 1"))))
        .isEqualTo(ProbeResult.failure("no\n"));
    try (ServerSocket server = new ServerSocket(0)) {
      String port = Integer.toString(server.getLocalPort());
      assertThat(probe(pod, container, new HandlerView.TcpSocket("", port)))
          .isEqualTo(ProbeResult.SUCCESS);
    }
    try (Socket bound = new Socket()) {
      // bound but not listening: no other program can take the port meanwhile
      bound.bind(new InetSocketAddress("127.0.0.1", 0));
      String port = Integer.toString(bound.getLocalPort());
      String refused = "dial tcp 127.0.0.1:" + port + ": connect: connection refused";
      assertThat(probe(pod, container, new HandlerView.TcpSocket("", port)))
          .isEqualTo(ProbeResult.failure(refused));
      assertThat(probe(pod, container, new HandlerView.HttpGet("HTTP", "", port, "/ok", List.of())))
          .isEqualTo(ProbeResult.failure("Get \"http://127.0.0.1:" + port + "/ok\": " + refused));
    }
  }

  private ProbeResult probe(Pod pod, ContainerRecord container, HandlerView handler) {
    return lab.call(
        () ->
            lab.runtime()
                .probe(
                    new ProbeRequest(
                        pod.view(),
                        "127.0.0.1",
                        pod.view().spec().containers().get(0),
                        container.id(),
                        ProbeKind.LIVENESS,
                        new ProbeView(handler, 0, 30, 10, 1, 3, null))));
  }

  @Test
  void measuresWhatAContainerUses() {
    Pod pod = lab.pod("a", "sh", "-c", "sleep 1000 & sleep 1000");
    ContainerRecord container = lab.run(pod);
    await().until(() -> usage(pod).processes() == 3);

    NodeUsage.ContainerUsage used = usage(pod).containers().get(0);

    assertThat(used.name()).isEqualTo(container.name());
    assertThat(used.memory()).isPositive();
    assertThat(Objects.requireNonNull(used.stats().cpu()).coreNanoSeconds()).isNotNegative();
  }

  private NodeUsage.PodUsage usage(Pod pod) {
    NodeUsage usage = lab.call(() -> lab.runtime().usage(RuntimeLab.NODE));
    return usage
        .pods()
        .getOrDefault(pod.ref().uid(), new NodeUsage.PodUsage(List.of(), NodeUsage.Disk.NONE, 0));
  }
}
