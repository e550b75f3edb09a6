package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of this host as pods of a real control plane. */
@ClusterTest
class ProcessIT {
  private static final String NODE = ProcessNode.NAME;

  @TempDir private Path folder;

  @Test
  void aSecondPodOnAPortIsRefused(TestCluster cluster) throws Exception {
    ProcessNode node = new ProcessNode(cluster, folder).start();
    int port = LoopbackPorts.next();
    web(cluster, "first", port);
    node.awaitReady("first");

    web(cluster, "late", port);

    eventually(
        () -> assertThat(cluster.field("pod", "late", "{.status.reason}")).isEqualTo("NodePorts"));
    assertThat(node.restarts("first")).isZero();
  }

  private static void web(TestCluster cluster, String name, int port) {
    cluster.create(
        name,
        NODE,
        spec(
            ("{containers: [{name: main, image: web, command: [python3, -m, http.server, \"%d\"],"
                    + " ports: [{containerPort: %d}], readinessProbe: {periodSeconds: 1,"
                    + " httpGet: {path: /, port: %d}}}]}")
                .formatted(port, port, port)));
  }

  @Test
  @Tag("P03")
  void aPodEndsWithAllItsProcesses(TestCluster cluster) throws Exception {
    ProcessNode node = new ProcessNode(cluster, folder).start();
    node.script(
        "stubborn",
        "trap \"\" TERM; (setsid sleep 4242 &); (setsid sh -c \"sleep 4242 & sleep 4242\" &);"
            + " sleep 4242 & while :; do sleep 1; done");
    node.awaitReady("stubborn");
    List<ProcessHandle> all =
        new ArrayList<>(node.process("stubborn", 0).parent().orElseThrow().descendants().toList());
    assertThat(all).hasSizeGreaterThan(4);

    cluster.kubectl("delete", "pod", "stubborn", "--wait=true");

    assertThat(all).noneMatch(ProcessHandle::isAlive);
    assertThat(node.sockets()).isEmptyDirectory();
    eventually(() -> assertThat(node.pods()).isEmptyDirectory());
  }

  @Test
  void aProgramThatIsNotThereIsAStartError(TestCluster cluster) throws Exception {
    ProcessNode node = new ProcessNode(cluster, folder).start();
    cluster.create(
        "p", NODE, spec("{containers: [{name: main, image: any, command: [no-such-program]}]}"));

    String ended = "{.status.containerStatuses[0].lastState.terminated['exitCode','reason']}";
    eventually(() -> assertThat(cluster.field("pod", "p", ended)).isEqualTo("128 StartError"));
    eventually(
        () ->
            assertThat(cluster.kubectl("get", "events", "--field-selector=reason=Failed"))
                .contains(
                    "Error: unable to start container process: exec: \"no-such-program\":"
                        + " executable file not found in $PATH"));
  }

  @Test
  @Tag("P02")
  void aKilledAgentFindsEndsOfItsAbsenceAndAdoptsTheRest(TestCluster cluster) throws Exception {
    ProcessNode node = new ProcessNode(cluster, folder);
    AgentProcess.Setup setup = node.setup();
    AgentProcess agent = cluster.agent(setup);
    Path gate = folder.resolve("gate");
    String wait = "until test -e " + gate + "; do sleep 0.1; done; ";
    for (String pod : List.of("fine", "bad", "killed", "kept")) {
      String then = pod.equals("bad") ? "exit 3" : "echo last line";
      node.script(pod, pod.equals("kept") ? "exec sleep 1000" : wait + then, "", "Never");
      node.awaitReady(pod);
    }
    ProcessHandle kept = node.process("kept", 0);
    Map<String, String> before = cluster.pods().versions();

    agent.kill();
    node.process("killed", 0).destroyForcibly();
    List<ProcessHandle> ending = List.of(node.process("fine", 0), node.process("bad", 0));
    Files.createFile(gate);
    for (ProcessHandle each : ending) {
      Waits.get(each.onExit());
    }
    var unused = cluster.agent(setup);

    eventually(
        () ->
            assertThat(
                    List.of(code(cluster, "fine"), code(cluster, "bad"), code(cluster, "killed")))
                .containsExactly("0", "3", "137"));
    assertThat(cluster.kubectl("logs", "fine")).isEqualTo("last line\n");
    assertThat(kept.isAlive()).isTrue();
    assertThat(cluster.pods().versions()).containsEntry("kept", before.get("kept"));
  }

  private static String code(TestCluster cluster, String pod) {
    return cluster.field("pod", pod, "{.status.containerStatuses[0].state.terminated.exitCode}");
  }

  @Test
  void whatCannotRunSaysWhyAndTheAgentGoesOn(TestCluster cluster) throws Exception {
    ProcessNode node = new ProcessNode(cluster, folder).start();
    String container = "containers: [{name: main, image: any, command: [sleep, \"1000\"]";
    cluster.create(
        "unmapped",
        NODE,
        spec("{containers: [{name: main, image: other, command: [sleep, \"1000\"]}]}"));
    cluster.create("nowhere", NODE, spec("{" + container + ", workingDir: /no/such}]}"));
    cluster.create(
        "reader",
        NODE,
        spec(
            "{volumes: [{name: v, hostPath: {path: /etc}}], "
                + container
                + ", volumeMounts: [{name: v, mountPath: /v}]}]}"));

    eventually(
        () ->
            assertThat(
                    cluster.field(
                        "pod", "unmapped", "{.status.containerStatuses[0].state.waiting.reason}"))
                .isEqualTo("ImagePullBackOff"));
    eventually(
        () ->
            assertThat(node.events("unmapped"))
                .contains(
                    "Container image \"other\" is not present with pull policy of Never: no rule of"
                        + " the provider process maps it"));
    eventually(
        () ->
            assertThat(node.events("nowhere"))
                .contains("chdir to cwd (\"/no/such\") failed: no such file or directory"));
    eventually(
        () ->
            assertThat(node.events("reader"))
                .contains("FailedMount")
                .contains("MountVolume.SetUp failed for volume \"v\""));
    node.script("other", "exec sleep 1000");
    node.awaitReady("other");
  }

  @Test
  void aNodeSaysWhatItsMachineHasAndUses(TestCluster cluster) throws Exception {
    ProcessNode node = new ProcessNode(cluster, folder).start();
    node.script("p", "while :; do :; done");
    node.awaitReady("p");

    assertThat(cluster.field("node", NODE, "{.status.nodeInfo.containerRuntimeVersion}"))
        .startsWith("process://");
    assertThat(cluster.field("node", NODE, "{.status.capacity.cpu}"))
        .isEqualTo(String.valueOf(Runtime.getRuntime().availableProcessors()));
    assertThat(cluster.field("node", NODE, "{.metadata.annotations.vertlet\\.dev/process-limits}"))
        .isEqualTo("rlimits");
    assertThat(
            cluster.field(
                "node", NODE, "{.status.conditions[?(@.type==\"ContainerLimits\")].message}"))
        .isEqualTo(
            "not limited by cgroups: cpu, memory, pids; a memory limit holds for each process alone"
                + " (RLIMIT_DATA) (they are turned off)");
    eventually(
        () -> {
          JsonObject summary =
              new JsonObject(
                  cluster.kubectl(
                      "get", "--raw", "/api/v1/nodes/" + NODE + "/proxy/stats/summary"));
          assertThat(summary.getJsonObject("node").getJsonObject("cpu").getLong("usageNanoCores"))
              .isPositive();
          assertThat(summary.getJsonArray("pods"))
              .singleElement()
              .asString()
              .contains("usageNanoCores");
        });
  }

  @Test
  @Tag("P07")
  void kubectlReachesAContainer(TestCluster cluster) throws Exception {
    ProcessNode node = new ProcessNode(cluster, folder).start();
    node.script("p", "seq 1 1000; exec sleep 1000");
    node.awaitReady("p");

    assertThat(cluster.kubectl("logs", "p", "--tail=2")).isEqualTo("999\n1000\n");
    assertThat(cluster.kubectl("logs", "p").lines()).hasSize(1000);
    assertThat(cluster.kubectl("exec", "p", "--", "sh", "-c", "echo $HOSTNAME")).isEqualTo("p\n");
    byte[] bytes = new byte[3_000_000];
    new Random(1).nextBytes(bytes);
    Path there = Files.write(folder.resolve("bytes"), bytes);
    cluster.kubectl("cp", there.toString(), "p:" + folder.resolve("copy"));
    assertThat(folder.resolve("copy")).hasBinaryContent(bytes);
    cluster.kubectl("cp", "p:" + folder.resolve("copy"), folder.resolve("back").toString());
    assertThat(folder.resolve("back")).hasBinaryContent(bytes);
  }

  @Test
  @Tag("P09")
  void aChangedConfigMapReachesARunningProcess(TestCluster cluster) throws Exception {
    ProcessNode node = new ProcessNode(cluster, folder).start();
    cluster.kubectl("create", "configmap", "settings", "--from-literal=colour=red");
    cluster.create(
        "p",
        NODE,
        spec(
            "{volumes: [{name: config, configMap: {name: settings}}], containers: [{name: main,"
                + " image: any, command: [sh, -c, \"while sleep 0.2; do cat $VERTLET_ROOT/c/colour"
                + " $VERTLET_ROOT/one; echo; done\"], volumeMounts: [{name: config, mountPath: /c},"
                + " {name: config, mountPath: /one, subPath: colour}]}]}"));
    node.awaitReady("p");
    eventually(() -> assertThat(cluster.kubectl("logs", "p", "--tail=1")).isEqualTo("redred\n"));

    cluster.kubectl(
        "patch", "configmap", "settings", "--patch", "{\"data\": {\"colour\": \"blue\"}}");

    eventually(() -> assertThat(cluster.kubectl("logs", "p", "--tail=1")).isEqualTo("bluered\n"));
  }

  /** The shortest life that the API server gives a token is ten minutes. */
  @Test
  @FullRing
  @Tag("P10")
  void aTokenIsReplacedAndItsReadersNeverSeeHalfOfOne(TestCluster cluster) throws Exception {
    ProcessNode node = new ProcessNode(cluster, folder).start();
    cluster.kubectl("create", "serviceaccount", "runner");
    String reader =
        "f=$VERTLET_ROOT/t/token; exec 3<$f; last=; while sleep 0.05; do t=$(cat $f);"
            + " if [ \"$t\" != \"$last\" ]; then"
            + " if [ -n \"$last\" ]; then test \"$(cat <&3)\" = \"$last\" || echo half; exec 3<$f; fi;"
            + " last=$t; echo $t; fi; done";
    cluster.create(
        "p",
        NODE,
        spec(
            "{serviceAccountName: runner, volumes: [{name: token, projected: {sources: [{serviceAccountToken: {path: token,"
                + " expirationSeconds: 600}}]}}], containers: [{name: main, image: any,"
                + " command: [sh, -c, '"
                + reader
                + "'], volumeMounts: [{name: token, mountPath: /t}]}]}"));
    node.awaitReady("p");

    Awaitility.await()
        .atMost(Duration.ofMinutes(10))
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .until(() -> cluster.kubectl("logs", "p").lines().count() > 1);

    List<String> tokens = cluster.kubectl("logs", "p").lines().toList();
    assertThat(tokens).hasSize(2).doesNotHaveDuplicates();
    for (String token : tokens) {
      TokenReview review =
          cluster
              .client()
              .resource(new TokenReviewBuilder().withNewSpec().withToken(token).endSpec().build())
              .create();
      assertThat(review.getStatus().getAuthenticated()).as("%s", token).isTrue();
    }
  }
}
