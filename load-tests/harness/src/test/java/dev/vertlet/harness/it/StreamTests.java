package dev.vertlet.harness.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What people do with running pods, as they do it: with kubectl, through an API server, to a node
 * of an agent. Each server has a class of its own, which makes the pods of one manifest once.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StreamTests {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Size of what goes through an exec and back. */
  private static final int MUCH = 100 * 1024 * 1024;

  private static final int REQUESTS = 1000;
  private static final int AT_ONCE = 50;

  /** Sets a terminal that does not show what is typed at it. */
  private static final String SILENT = "stty -echo";

  private static final Pattern FORWARDING =
      Pattern.compile("Forwarding from 127\\.0\\.0\\.1:(\\d+) -> 8080");

  private KubectlRuns kubectl;
  private Path dir;

  /**
   * Where the pods are.
   *
   * @param kubeconfig of an API server
   * @param node one that is Ready
   */
  record Place(Path kubeconfig, String namespace, String node) {}

  /** Starts what the pods need. Called once. */
  abstract Place open(TestCluster cluster, Path dir) throws Exception;

  @BeforeAll
  void start(TestCluster cluster, @TempDir Path dir) throws Exception {
    this.dir = dir;
    Place place = open(cluster, dir);
    this.kubectl =
        new KubectlRuns(
            cluster.controlPlane().kubectlProgram(), place.kubeconfig(), place.namespace(), dir);
    StreamPods.apply(kubectl, dir, place.node());
  }

  final KubectlRuns kubectl() {
    return kubectl;
  }

  final Path dir() {
    return dir;
  }

  private List<String> log(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("logs", "talker", "-c", "main"));
    all.addAll(List.of(arguments));
    return kubectl().output(all.toArray(String[]::new)).lines().toList();
  }

  @Test
  void logsHaveTheLinesThatWereAskedFor() throws Exception {
    assertThat(log().get(0)).isEqualTo("container main started");
    assertThat(log("--tail=3")).hasSize(3).allMatch(line -> line.startsWith("request "));
    assertThat(log("--tail=0")).isEmpty();
    assertThat(kubectl().output("logs", "talker", "-c", "main", "--limit-bytes=12"))
        .isEqualTo("container ma");
    assertThat(log("--timestamps", "--tail=1").get(0))
        .matches(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d+(Z|[+-]\\d\\d:\\d\\d) request .*");
    assertThat(log("--since=1h").get(0)).isEqualTo("container main started");
    assertThat(log("--since=1s")).isNotEmpty().doesNotContain("container main started");
    assertThat(log("--since-time=" + Instant.now().plusSeconds(3600).toString())).isEmpty();
    String started = log("--timestamps").get(0);
    assertThat(started).endsWith(" container main started");
    // kubectl hands on whole seconds
    Instant later =
        OffsetDateTime.parse(started.split(" ")[0]).toInstant().plusSeconds(1).truncatedTo(SECONDS);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(log("--since-time=" + later))
                    .isNotEmpty()
                    .doesNotContain("container main started"));
    assertThat(kubectl().output("logs", "talker", "-c", "silent"))
        .isEqualTo("container silent started\n");
    assertThat(kubectl().output("logs", "talker", "--all-containers"))
        .contains("container main started\n", "container silent started\n");
    assertThat(kubectl().output("logs", "-l", "app=streams", "-c", "silent"))
        .isEqualTo("container silent started\n");
    assertThat(
            kubectl()
                .output("logs", "-l", "app=streams", "--all-containers", "--prefix", "--tail=1")
                .lines())
        .contains("[pod/talker/silent] container silent started")
        .anyMatch(line -> line.startsWith("[pod/talker/main] request "));
    assertThat(kubectl().output("logs", "restarting", "--previous").lines().toList())
        .startsWith("container main started")
        .endsWith("container main ended with exit code 3");
    assertThat(
            kubectl()
                .output("logs", "restarting", "--previous", "--timestamps", "--limit-bytes=20"))
        .hasSize(20)
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.?");
    assertThat(
            kubectl()
                .output(
                    "logs", "talker", "-c", "silent", "--insecure-skip-tls-verify-backend=true"))
        .isEqualTo("container silent started\n");
  }

  @Test
  void logsOfManyContainersAreToldApart() throws Exception {
    List<String> all =
        kubectl()
            .output(
                "logs",
                "crowd",
                "--all-containers",
                "--prefix",
                "--timestamps",
                "--tail=2",
                "--since-time=" + Instant.now().minusSeconds(3600))
            .lines()
            .toList();

    assertThat(all)
        .hasSize(2 * StreamPods.CROWD)
        .allMatch(line -> line.matches("\\[pod/crowd/main\\d\\] \\d{4}-\\d\\d-\\d\\dT\\S+ .+"));
    for (int i = 0; i < StreamPods.CROWD; i++) {
      String prefix = "[pod/crowd/main" + i + "] ";
      assertThat(all).filteredOn(line -> line.startsWith(prefix)).hasSize(2);
    }
    assertThat(kubectl().output("logs", "service/talkers", "-c", "silent"))
        .isEqualTo("container silent started\n");
  }

  @Test
  void asManyLogsAreFollowedAsSomebodyAllows() throws Exception {
    String[] follow = {"logs", "-f", "-l", "app=crowd", "--all-containers", "--prefix"};

    assertThat(kubectl().error(follow))
        .contains(
            "you are attempting to follow %d log streams, but maximum allowed concurrency is 5"
                .formatted(StreamPods.CROWD));

    String[] more = Arrays.copyOf(follow, follow.length + 1);
    more[follow.length] = "--max-log-requests=" + StreamPods.CROWD;
    try (KubectlRuns.Run run = kubectl().start(Wire.WEBSOCKET, more)) {
      for (int i = 0; i < StreamPods.CROWD; i++) {
        String prefix = "[pod/crowd/main" + i + "] request ";
        await()
            .atMost(PATIENCE)
            .until(
                () -> run.out().lines().filter(line -> line.startsWith(prefix)).count(),
                count -> count > 30);
      }
      assertThat(run.process().isAlive()).as(run.err()).isTrue();
    }
  }

  @Test
  void aLogIsFollowedUntilSomebodyStops() throws Exception {
    try (KubectlRuns.Run run =
        kubectl().start(Wire.WEBSOCKET, "logs", "-f", "talker", "-c", "main", "--tail=1")) {
      await().atMost(PATIENCE).until(() -> run.out().lines().count() > 30);
      assertThat(run.process().isAlive()).isTrue();
    }
  }

  @Test
  void logsThatAreNotThereSayWhy() throws Exception {
    assertThat(kubectl().error("logs", "talker", "-c", "none"))
        .contains("container none is not valid for pod talker");
    assertThat(kubectl().error("logs", "talker", "-c", "main", "--previous"))
        .contains("previous terminated container \"main\" in pod \"talker\" not found");
    assertThat(kubectl().error("logs", "waiting"))
        .contains("container \"main\" in pod \"waiting\" is waiting to start");
    assertThat(kubectl().error("exec", "waiting", "--", "true"))
        .contains("container not found (\"main\")");
  }

  @ParameterizedTest
  @EnumSource
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
  void aTerminalIsOne(Wire wire) throws Exception {
    try (KubectlRuns.Run run =
            atTerminal(
                wire, "stty rows 30 cols 100", "exec", "-it", "talker", "-c", "main", "--", "sh");
        OutputStream keys = run.process().getOutputStream()) {
      type(keys, "tty");
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                // the size comes beside what is typed, and may come later
                type(keys, "stty size");
                return run.out().contains("30 100");
              });
      type(keys, "exit 7");
      Launcher.Outcome outcome = run.await();
      assertThat(outcome.out()).contains("/dev/pts/0");
      assertThat(outcome.exitCode()).as(outcome.out()).isEqualTo(7);
    }
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

  @ParameterizedTest
  @EnumSource
  void whoIsAttachedSeesWhatTheContainerWrites(Wire wire) throws Exception {
    try (KubectlRuns.Run run = kubectl().start(wire, "attach", "talker", "-c", "main")) {
      await().atMost(PATIENCE).until(() -> run.out().contains("request "));
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
      await().atMost(PATIENCE).until(() -> run.out().equals("hello\n"));
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
      await().atMost(PATIENCE).until(() -> run.out().contains("If you don't see a command prompt"));
      type(keys, "hello");
      await().atMost(PATIENCE).until(() -> run.out().contains("hello"));
      assertThat(run.out()).doesNotContain("Unable to use a TTY");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aForwardedPortTakesManyRequests(Wire wire) throws Exception {
    try (KubectlRuns.Run run = kubectl().start(wire, "port-forward", "pod/talker", ":8080")) {
      assertThat(forwarded(run).answers(REQUESTS, AT_ONCE))
          .hasSize(REQUESTS)
          .allMatch(body -> body.endsWith(", port 8080\n"));
      assertThat(run.process().isAlive()).as(run.err()).isTrue();
    }
  }

  private static ForwardedPort forwarded(KubectlRuns.Run run) throws IOException {
    await().atMost(PATIENCE).until(() -> FORWARDING.matcher(run.out()).find());
    Matcher forwarding = FORWARDING.matcher(run.out());
    assertThat(forwarding.find()).isTrue();
    return new ForwardedPort(Integer.parseInt(forwarding.group(1)));
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
        .atMost(PATIENCE)
        .until(
            () ->
                kubectl()
                    .output(
                        "get",
                        "pod",
                        "talker",
                        "-o",
                        "jsonpath={.status.ephemeralContainerStatuses[?(@.name==\""
                            + name
                            + "\")].state.running.startedAt}"),
            started -> !started.isEmpty());

    Launcher.Outcome outcome =
        kubectl().run(wire, "exec", "talker", "-c", name, "--", "echo", "in");
    assertThat(outcome.out()).as(outcome.err()).isEqualTo("in\n");
    try (KubectlRuns.Run attached = kubectl().start(wire, "attach", "talker", "-c", name)) {
      await().atMost(PATIENCE).until(() -> attached.out().contains("request "));
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
            .output(
                "get",
                "pod",
                "listener",
                "-o",
                "jsonpath={.spec.ephemeralContainers[?(@.name==\"" + name + "\")]}");
    assertThat(container).contains("\"stdin\":true", "\"tty\":true");
  }

  /** Through the API server's proxy, which wants a node address that is not loopback. */
  @Test
  void aNodeTellsOfItselfThroughTheProxy() throws Exception {
    String node = kubectl().output("get", "pod", "talker", "-o", "jsonpath={.spec.nodeName}");
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
