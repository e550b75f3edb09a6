package dev.vertlet.harness.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What people do with running pods, as they do it: with kubectl, through an API server, to a node
 * of an agent. Each server has a class of its own, which makes the pods of one manifest once.
 */
abstract class StreamTests {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Size of what goes through an exec and back. */
  private static final int MUCH = 100 * 1024 * 1024;

  private static final int REQUESTS = 1000;
  private static final int AT_ONCE = 50;
  private static final Pattern FORWARDING =
      Pattern.compile("Forwarding from 127\\.0\\.0\\.1:(\\d+) -> 8080");

  private static final String MANIFEST =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: talker
        labels: {app: streams}
        annotations:
          sim.vertlet.dev/log-rate: 50/s
          sim.vertlet.dev/silent.log-rate: "0"
      spec:
        nodeName: NODE
        containers:
          - {name: main, image: "example.com/main:1"}
          - {name: silent, image: "example.com/silent:1"}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: restarting
        annotations:
          sim.vertlet.dev/run-for: 1s
          sim.vertlet.dev/exit-code: "3"
      spec:
        nodeName: NODE
        containers:
          - {name: main, image: "example.com/main:1"}
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        name: waiting
        annotations:
          sim.vertlet.dev/pull-error: manifest unknown
      spec:
        nodeName: NODE
        containers:
          - {name: main, image: "example.com/missing:1"}
      """;

  abstract KubectlRuns kubectl();

  abstract Path dir();

  /** Makes the pods on a node and waits until they are what the tests need. */
  static void apply(KubectlRuns kubectl, Path dir, String node) throws Exception {
    Path file = Files.writeString(dir.resolve("streams.yaml"), MANIFEST.replace("NODE", node));
    kubectl.output("apply", "-f", file.toString());
    kubectl.output("wait", "--for=condition=Ready", "pod/talker", "--timeout=60s");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                !kubectl
                    .output(
                        "get",
                        "pod",
                        "restarting",
                        "-o",
                        "jsonpath={.status.containerStatuses[0].lastState.terminated.exitCode}")
                    .isEmpty());
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
    String kubectl =
        String.join(" ", kubectl().command("exec", "-it", "talker", "-c", "main", "--", "sh"));
    // script(1) gives kubectl a terminal; its size has to be set before kubectl looks
    List<String> command =
        List.of("script", "-qec", "stty rows 30 cols 100; " + kubectl, "/dev/null");

    try (KubectlRuns.Run run = kubectl().startTyped(wire.environment(), command);
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
  void aForwardedPortTakesManyRequestsAtOnce(Wire wire) throws Exception {
    try (KubectlRuns.Run run = kubectl().start(wire, "port-forward", "pod/talker", ":8080")) {
      await().atMost(PATIENCE).until(() -> FORWARDING.matcher(run.out()).find());
      Matcher forwarding = FORWARDING.matcher(run.out());
      assertThat(forwarding.find()).isTrue();
      URI url = URI.create("http://127.0.0.1:" + forwarding.group(1) + "/");

      assertThat(answers(url)).hasSize(REQUESTS).allMatch(body -> body.endsWith(", port 8080\n"));
      assertThat(run.process().isAlive()).as(run.err()).isTrue();
    }
  }

  private static List<String> answers(URI url) throws InterruptedException {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    Semaphore free = new Semaphore(AT_ONCE);
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      free.acquire();
      answers.add(
          client
              .sendAsync(
                  HttpRequest.newBuilder(url).timeout(PATIENCE).build(),
                  HttpResponse.BodyHandlers.ofString())
              .thenApply(HttpResponse::body)
              .whenComplete((body, e) -> free.release()));
    }
    return answers.stream().map(CompletableFuture::join).toList();
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
