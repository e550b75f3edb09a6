package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.testsupport.FullRing;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What people do with running pods, as they do it: with kubectl and other clients, through an API
 * server, to a node of an agent. Each server has a class of its own, which makes the pods of one
 * manifest once.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StreamTests implements LogTests {

  /** Size of what goes through an exec and back. */
  private static final int MUCH = 100 * 1024 * 1024;

  private static final int REQUESTS = 1000;
  private static final int AT_ONCE = 50;

  /** Sets a terminal that does not show what is typed at it. */
  private static final String SILENT = "stty -echo";

  /** Size of what goes through a forwarded port and back. */
  private static final int MANY = 10 * 1024 * 1024;

  private KubectlRuns kubectl;
  private Path dir;
  private Place place;

  /**
   * Where the pods are.
   *
   * @param kubeconfig of an API server's user
   * @param agentKubeconfig what another agent may connect with
   * @param node one that is Ready
   */
  record Place(Path kubeconfig, Path agentKubeconfig, String namespace, String node) {}

  /** Starts what the pods need. Called once. */
  abstract Place open(TestCluster cluster, Path dir) throws Exception;

  @BeforeAll
  void start(TestCluster cluster, @TempDir Path dir) throws Exception {
    this.dir = dir;
    this.place = open(cluster, dir);
    this.kubectl =
        new KubectlRuns(
            cluster.controlPlane().kubectlProgram(), place.kubeconfig(), place.namespace(), dir);
    StreamPods.apply(kubectl, dir, place.node());
  }

  /** An agent of its own, with one node, that is ready. */
  static AgentProcess agent(
      TestCluster cluster, Path kubeconfig, Path dir, String nodes, String... more)
      throws Exception {
    return cluster.agent(
        AgentProcess.Setup.ofNodes(Files.createDirectory(dir.resolve(nodes)), nodes, 1, kubeconfig)
            .with("--set", "server.portRange=0", "--set", "server.healthzPort=0")
            .with(more));
  }

  @Override
  public final KubectlRuns kubectl() {
    return kubectl;
  }

  final Path dir() {
    return dir;
  }

  @ParameterizedTest
  @EnumSource
  @FullRing
  @Tag("C57")
  void clientsOfAllLanguagesListWatchPatchExecuteAndFollow(ClientProgram client) throws Exception {
    assertThat(client.run(dir(), place.kubeconfig(), place.namespace(), "talker"))
        .containsExactly(
            "list true",
            "refused 422",
            "patch patched",
            "watch ADDED MODIFIED DELETED",
            "exec out err 3",
            "logs 5");
  }

  @ParameterizedTest
  @EnumSource
  @Tag("C57")
  void commandsHaveOutputErrorsAndAnExitCode(Wire wire) throws Exception {
    Launcher.Outcome outcome =
        kubectl()
            .run(
                wire,
                "exec",
                "talker",
                "-c",
                "main",
                "--",
                "sh",
                "-c",
                "echo out; echo err >&2; exit 3");

    assertThat(outcome.out()).isEqualTo("out\n");
    assertThat(outcome.err()).isEqualTo("err\ncommand terminated with exit code 3\n");
    assertThat(outcome.exitCode()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("C57")
  void whatGoesInComesBackTheSame(Wire wire) throws Exception {
    Path input = dir().resolve("much-" + wire);
    byte[] block = new byte[1024 * 1024];
    Random random = new Random(wire.ordinal());
    try (OutputStream out = Files.newOutputStream(input)) {
      for (int left = MUCH; left > 0; left -= block.length) {
        random.nextBytes(block);
        out.write(block);
      }
    }

    long start = System.nanoTime();
    try (KubectlRuns.Run run =
        kubectl()
            .start(wire.environment(), input, "exec", "-i", "talker", "-c", "main", "--", "cat")) {
      assertThat(run.exitCode()).as(run.err()).isZero();
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          "%s: %d MiB in and out of an exec by %s in %.1f s%n",
          getClass().getSimpleName(), MUCH >> 20, wire, seconds);
      assertThat(Files.mismatch(input, run.folder().resolve("out"))).isEqualTo(-1);
      Files.delete(run.folder().resolve("out"));
    }
    Files.delete(input);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("C57")
  void aTerminalIsOne(Wire wire) throws Exception {
    try (KubectlRuns.Run run =
            atTerminal(
                wire, "stty rows 30 cols 100", "exec", "-it", "talker", "-c", "main", "--", "sh");
        OutputStream keys = run.process().getOutputStream()) {
      type(keys, "tty");
      awaitSize(run, keys, "30 100");
      type(keys, "exit 7");
      Launcher.Outcome outcome = run.await();
      assertThat(outcome.out()).contains("/dev/pts/0");
      assertThat(outcome.exitCode()).as(outcome.out()).isEqualTo(7);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("C57")
  void aTerminalThatChangesItsSizeIsSeenToDoSo(Wire wire) throws Exception {
    Path signal = dir().resolve("larger-" + wire);
    String later =
        "{ (until [ -e '%s' ]; do sleep 0.1; done; stty rows 40 cols 120 </dev/tty) & }"
            .formatted(signal);
    try (KubectlRuns.Run run =
            atTerminal(
                wire,
                "stty rows 30 cols 100; " + later,
                "exec",
                "-it",
                "talker",
                "-c",
                "main",
                "--",
                "sh");
        OutputStream keys = run.process().getOutputStream()) {
      awaitSize(run, keys, "30 100");

      Files.createFile(signal);

      awaitSize(run, keys, "40 120");
      type(keys, "exit 0");
      assertThat(run.await().exitCode()).isZero();
    }
  }

  /** The size comes beside what is typed, and may come later. */
  private static void awaitSize(KubectlRuns.Run run, OutputStream keys, String size) {
    await()
        .until(
            () -> {
              type(keys, "stty size");
              return run.out().contains(size);
            });
  }

  /**
   * Starts kubectl at a terminal.
   *
   * @param settings a command that sets the terminal before kubectl looks at it
   */
  private KubectlRuns.Run atTerminal(Wire wire, String settings, String... arguments)
      throws IOException {
    String kubectl = String.join(" ", kubectl().command(arguments));
    return kubectl()
        .startTyped(
            wire.environment(),
            List.of("script", "-qec", settings + "; exec " + kubectl, "/dev/null"));
  }

  private static void type(OutputStream keys, String line) throws IOException {
    keys.write((line + "\n").getBytes(UTF_8));
    keys.flush();
  }

  /** C57. A shell that nobody types at, through the API server. */
  @Test
  @Tag("C57")
  void aSessionInWhichNothingHappensIsClosed(TestCluster cluster) throws Exception {
    AgentProcess quiet =
        agent(
            cluster,
            place.agentKubeconfig(),
            dir(),
            "quiet",
            "--set",
            "server.streamingConnectionIdleTimeout=2s");
    kubectl()
        .output(
            "run",
            "quiet",
            "--image=example.com/main:1",
            "--overrides={\"spec\":{\"nodeName\":\"quiet0\"}}");
    kubectl().output("wait", "--for=condition=Ready", "pod/quiet", KubectlRuns.LIMIT);

    for (Wire wire : Wire.values()) {
      List<String> command = kubectl().command("exec", "-i", "quiet", "--", "cat");
      try (KubectlRuns.Run run = kubectl().startTyped(wire.environment(), command)) {
        await().until(() -> quiet.metric("kubelet_http_inflight_requests", "path=\"exec\"") == 1);
        await().until(() -> quiet.metric("kubelet_http_inflight_requests", "path=\"exec\"") == 0);
        // without a word on its error stream a session over SPDY has ended well for kubectl
        assertThat(run.exitCode() == 0).as("%s: %s", wire, run.err()).isEqualTo(wire == Wire.SPDY);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoIsAttachedSeesWhatTheContainerWrites(Wire wire) throws Exception {
    try (KubectlRuns.Run run = kubectl().start(wire, "attach", "talker", "-c", "main")) {
      await().until(() -> run.out().contains("request "));
      assertThat(run.out()).doesNotContain("container main started");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoIsAttachedIsHeardByTheContainer(Wire wire) throws Exception {
    List<String> command = kubectl().command("attach", "-i", "listener", "-c", "plain");
    try (KubectlRuns.Run run = kubectl().startTyped(wire.environment(), command);
        OutputStream keys = run.process().getOutputStream()) {
      type(keys, "hello");
      await().until(() -> run.out().equals("hello\n"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoIsAttachedHasTheContainersTerminal(Wire wire) throws Exception {
    try (KubectlRuns.Run run =
        atTerminal(wire, SILENT, "attach", "-it", "listener", "-c", "terminal")) {
      assertHeard(run);
    }
  }

  /** What is typed comes back from the container: the terminal itself shows nothing. */
  private static void assertHeard(KubectlRuns.Run run) throws Exception {
    try (OutputStream keys = run.process().getOutputStream()) {
      await().until(() -> run.out().contains("If you don't see a command prompt"));
      type(keys, "hello");
      await().until(() -> run.out().contains("hello"));
      assertThat(run.out()).doesNotContain("Unable to use a TTY");
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("C59")
  void aForwardedPortTakesManyRequests(Wire wire) throws Exception {
    try (KubectlRuns.Run run = kubectl().start(wire, "port-forward", "pod/talker", ":8080")) {
      assertThat(forwarded(run).answers(REQUESTS, AT_ONCE))
          .hasSize(REQUESTS)
          .allMatch(body -> body.endsWith(", port 8080\n"));
      assertThat(run.process().isAlive()).as(run.err()).isTrue();
    }
  }

  static ForwardedPort forwarded(KubectlRuns.Run run) throws IOException {
    return forwarded(run, 8080);
  }

  private static ForwardedPort forwarded(KubectlRuns.Run run, int port) throws IOException {
    Pattern told = Pattern.compile("Forwarding from 127\\.0\\.0\\.1:(\\d+) -> " + port + "\n");
    await().until(() -> told.matcher(run.out()).find());
    Matcher forwarding = told.matcher(run.out());
    assertThat(forwarding.find()).isTrue();
    return new ForwardedPort(Integer.parseInt(forwarding.group(1)));
  }

  /** C59. kubectl itself gives up all ports of a run when one of them fails: it has its own. */
  @ParameterizedTest
  @EnumSource
  @Tag("C59")
  void twoPortsCarryEveryByteBesideOneThatIsRefused(Wire wire) throws Exception {
    try (KubectlRuns.Run run =
            kubectl().start(wire, "port-forward", "pod/echoing", ":8080", ":9090");
        KubectlRuns.Run other = kubectl().start(wire, "port-forward", "pod/echoing", ":7070");
        ForwardedPort.Held first = forwarded(run, 8080).open();
        ForwardedPort.Held second = forwarded(run, 9090).open()) {
      byte[] one = bytes(2 * wire.ordinal());
      byte[] two = bytes(2 * wire.ordinal() + 1);
      byte[] half = Arrays.copyOf(one, MANY / 2);
      assertThat(first.exchange(half)).isEqualTo(half);

      try (ForwardedPort.Held refused = forwarded(other, 7070).open()) {
        assertThat(refused.read(1)).isEmpty();
      }

      await().until(() -> other.err().contains("error forwarding port 7070"));
      CompletableFuture<byte[]> beside = CompletableFuture.supplyAsync(() -> exchange(first, one));
      assertThat(second.exchange(two)).isEqualTo(two);
      assertThat(get(beside)).isEqualTo(one);
      assertThat(run.err()).isEmpty();
      assertThat(run.process().isAlive()).isTrue();
    }
  }

  private static byte[] exchange(ForwardedPort.Held connection, byte[] bytes) {
    try {
      return connection.exchange(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(int seed) {
    byte[] bytes = new byte[MANY];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @EnumSource
  void aForwardedPortHoldsManyConnectionsAtOnce(Wire wire) throws Exception {
    List<ForwardedPort.Held> connections = new ArrayList<>();
    try (KubectlRuns.Run run = kubectl().start(wire, "port-forward", "pod/talker", ":8080")) {
      ForwardedPort port = forwarded(run);
      for (int i = 0; i < AT_ONCE; i++) {
        connections.add(port.open());
      }

      // each has an answer of the pod before any goes on: they are open there together
      for (String words : List.of("first", "again")) {
        for (int i = 0; i < AT_ONCE; i++) {
          connections.get(i).send("%s %02d\n".formatted(words, i));
        }
        for (int i = 0; i < AT_ONCE; i++) {
          assertThat(connections.get(i).read(9)).isEqualTo("%s %02d\n".formatted(words, i));
        }
      }
      assertThat(run.process().isAlive()).as(run.err()).isTrue();
    } finally {
      for (ForwardedPort.Held connection : connections) {
        connection.close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPodIsDebuggedFromAnotherContainer(Wire wire) throws Exception {
    String name = "debug-" + wire.ordinal();
    kubectl()
        .output(
            "debug",
            "talker",
            "--image=example.com/tools:1",
            "--container=" + name,
            "--profile=general",
            "--",
            "sh");
    await()
        .until(
            () ->
                kubectl()
                    .field(
                        "pod",
                        "talker",
                        "{.status.ephemeralContainerStatuses[?(@.name==\""
                            + name
                            + "\")].state.running.startedAt}"),
            started -> !started.isEmpty());

    Launcher.Outcome outcome =
        kubectl().run(wire, "exec", "talker", "-c", name, "--", "echo", "in");
    assertThat(outcome.out()).as(outcome.err()).isEqualTo("in\n");
    try (KubectlRuns.Run attached = kubectl().start(wire, "attach", "talker", "-c", name)) {
      await().until(() -> attached.out().contains("request "));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPodIsDebuggedAtATerminal(Wire wire) throws Exception {
    String name = "terminal-" + wire.ordinal();
    try (KubectlRuns.Run run =
        atTerminal(
            wire,
            SILENT,
            "debug",
            "-it",
            "listener",
            "--image=example.com/tools:1",
            "--container=" + name,
            "--profile=general",
            "--",
            "sh")) {
      assertHeard(run);
    }

    String container =
        kubectl()
            .field("pod", "listener", "{.spec.ephemeralContainers[?(@.name==\"" + name + "\")]}");
    assertThat(container).contains("\"stdin\":true", "\"tty\":true");
  }

  @Test
  @Tag("C61")
  void nobodyIsRefusedByTheKubelet() throws Exception {
    for (URI asked : guarded()) {
      HttpResponse<String> nobody = KubeletRequests.get(asked, "");
      assertThat(nobody.statusCode()).isEqualTo(401);
      assertThat(nobody.body()).isEqualTo("Unauthorized");
      assertThat(KubeletRequests.get(asked, "made.up.token").statusCode()).isEqualTo(401);
    }
  }

  @Test
  @Tag("C61")
  void strangersAreRefusedByTheKubelet() throws Exception {
    kubectl().output("create", "serviceaccount", "stranger");
    String token = kubectl().output("create", "token", "stranger").strip();

    for (URI asked : guarded()) {
      HttpResponse<String> stranger = KubeletRequests.get(asked, token);
      assertThat(stranger.statusCode()).isEqualTo(403);
      assertThat(stranger.body())
          .startsWith("Forbidden (user=system:serviceaccount:")
          .contains(":stranger, verb=get, resource=nodes, ");
    }
  }

  /** URLs of the kubelet itself that are not for everybody. */
  private List<URI> guarded() throws Exception {
    String template = "jsonpath={.spec.nodeName} {.metadata.namespace}";
    String[] pod = kubectl().output("get", "pod", "talker", "-o", template).split(" ");
    String url = KubeletRequests.url(kubectl(), pod[0]);
    return List.of(
        URI.create(url + "/pods"),
        URI.create(url + "/exec/" + pod[1] + "/talker/main?command=true&output=1"));
  }

  /** C53. Those of the pods that nothing happens to; the proxy refuses loopback. */
  @Test
  @Tag("C53")
  void thePodsOfANodeAreThoseOfTheApiServer() throws Exception {
    String node = kubectl().field("pod", "talker", "{.spec.nodeName}");
    OutsideAddress.of(kubectl().output("get", "node", node, "-o", OutsideAddress.JSON_PATH));
    JsonNode served = json("get", "--raw", "/api/v1/nodes/" + node + "/proxy/pods").at("/items");

    for (String pod : List.of("talker", "crowd", "listener", "echoing")) {
      JsonNode known = json("get", "pod", pod, "--show-managed-fields", "-o", "json");
      JsonNode found =
          served
              .valueStream()
              .filter(item -> item.at("/metadata/uid").equals(known.at("/metadata/uid")))
              .findFirst()
              .orElseThrow();
      for (String part : List.of("metadata", "spec", "status")) {
        assertThat(found.get(part)).as("%s of %s", part, pod).isEqualTo(known.get(part));
      }
    }
  }

  private JsonNode json(String... arguments) throws Exception {
    return new ObjectMapper().readTree(kubectl().output(arguments));
  }

  /** Through the API server's proxy, which wants a node address that is not loopback. */
  @Test
  void aNodeTellsOfItselfThroughTheProxy() throws Exception {
    String node = kubectl().field("pod", "talker", "{.spec.nodeName}");
    OutsideAddress.of(kubectl().output("get", "node", node, "-o", OutsideAddress.JSON_PATH));
    String proxy = "/api/v1/nodes/" + node + "/proxy/";

    assertThat(kubectl().output("get", "--raw", proxy + "healthz")).isEqualTo("ok");
    assertThat(kubectl().output("get", "--raw", proxy + "pods")).contains("\"talker\"");
    assertThat(kubectl().output("get", "--raw", proxy + "configz")).contains("\"kubeletconfig\"");
    assertThat(kubectl().output("get", "--raw", proxy + "stats/summary"))
        .contains("\"nodeName\"", "\"talker\"");
    assertThat(kubectl().output("get", "--raw", proxy + "metrics/resource"))
        .contains("node_cpu_usage_seconds_total", "container_memory_working_set_bytes");
  }
}
