package dev.vertlet.harness.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.agent.Vertlet;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams of kubectl to real containers when one direction is slow or ends before the other. */
@ClusterTest(controllers = true)
@Needs(Tool.CONTAINERS)
@Tag("containers")
class CriStreamsIT {
  private static final String NODE = "cri-streams";

  /** Lines of the slowly read output, 6.9 MB in all: more than the buffers on the way hold. */
  private static final int LINES = 1_000_000;

  /** Reads 1.2 MB in 20 parts with a pause after each, and the rest at once. */
  private static final String SLOWLY =
      " | { for i in $(seq 20); do head -c 60000; sleep 0.1; done; cat; }";

  @TempDir private Path folder;

  private KubectlRuns kubectl;

  @BeforeEach
  void runPod(TestCluster cluster) throws Exception {
    cluster.grant(Manifests.SECRETS);
    cluster.grant(Manifests.CONTENT);
    JsonObject config =
        new ContainerLab()
            .config(NODE, folder.resolve("data"))
            .put(
                "kubernetes",
                new JsonObject().put("kubeconfig", cluster.agentKubeconfig().toString()))
            .put("server", new JsonObject().put("port", 0));
    cluster.closeAfterTest(Vertlet.start(config.encode()));
    cluster.closeAfterTest(() -> ContainerLab.removeAll(cluster));
    kubectl =
        new KubectlRuns(
            cluster.controlPlane().kubectlProgram(),
            cluster.kubeconfig(),
            cluster.namespace(),
            folder);
    cluster.create(
        "p",
        NODE,
        TestPods.spec(
            "{terminationGracePeriodSeconds: 1, containers: [{name: main, image: '"
                + ContainerLab.AGNHOST
                + "', args: [netexec], readinessProbe: {httpGet: {path: /healthz, port: 8080},"
                + " periodSeconds: 1}}]}"));
    cluster.kubectl("wait", "--for=condition=Ready", "pod/p", KubectlRuns.LIMIT);
  }

  @ParameterizedTest
  @EnumSource
  void aSlowReaderGetsAllOutput(Wire wire) throws Exception {
    String exec = String.join(" ", kubectl.command("exec", "p", "--", "seq", "" + LINES));
    String expected =
        IntStream.rangeClosed(1, LINES)
            .mapToObj(String::valueOf)
            .collect(Collectors.joining("\n", "", "\n"));

    try (KubectlRuns.Run run =
        kubectl.start(
            wire.environment(), KubectlRuns.NOTHING, List.of("bash", "-c", exec + SLOWLY))) {
      Launcher.Outcome outcome = run.await();
      assertThat(outcome.exitCode()).as(outcome.err()).isZero();
      // a difference of millions of characters would not be readable
      assertThat(outcome.out().equals(expected)).as("%s bytes", outcome.out().length()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void theEndOfTheInputReachesTheCommandAndItsOutputComesBack(Wire wire) throws Exception {
    byte[] bytes = new byte[5_000_000];
    new Random(wire.ordinal()).nextBytes(bytes);
    Path input = Files.write(folder.resolve("input-" + wire), bytes);

    try (KubectlRuns.Run run =
        kubectl.start(
            wire.environment(), input, "exec", "-i", "p", "--", "sh", "-c", "wc -c; echo end")) {
      Launcher.Outcome outcome = run.await();
      assertThat(outcome.exitCode()).as(outcome.err()).isZero();
      assertThat(outcome.out().lines().map(String::strip)).containsExactly("5000000", "end");
    }
  }

  /**
   * The runtime itself closes a forwarded connection 1 s after the client has ended its side, so
   * the pod's server must not wait for that end.
   */
  @ParameterizedTest
  @EnumSource
  void anAnswerComesToAClientThatHasEndedItsSideOfAForwardedConnection(Wire wire) throws Exception {
    try (KubectlRuns.Run run = kubectl.start(wire, "port-forward", "pod/p", ":8080")) {
      int port =
          Launcher.port(run.process(), run.folder(), Pattern.compile("127\\.0\\.0\\.1:(\\d+) ->"));
      try (ForwardedPort.Held connection = new ForwardedPort(port).open()) {
        connection.send("GET /hostname HTTP/1.0\r\n\r\n");
        connection.socket().shutdownOutput();

        String answer = new String(connection.socket().getInputStream().readAllBytes(), UTF_8);
        assertThat(answer).startsWith("HTTP/1.0 200 OK").endsWith("\r\n\r\np");
      }
      assertThat(run.process().isAlive()).as(run.err()).isTrue();
    }
  }
}
