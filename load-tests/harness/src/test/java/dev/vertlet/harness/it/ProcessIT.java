package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.agent.Vertlet;
import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.api.model.Pod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of this host as pods of a real control plane. */
@ClusterTest
class ProcessIT {
  private static final String NODE = "host0";

  @TempDir private Path folder;

  /** A configuration of one node, whose containers have no control groups. */
  private JsonObject config() {
    JsonObject process =
        new JsonObject()
            .put("directory", folder.resolve("run").toString())
            .put("allowRoot", true)
            .put("cgroup", "")
            .put(
                "images",
                new JsonArray()
                    .add(new JsonObject().put("pattern", "any").put("root", "host"))
                    .add(new JsonObject().put("pattern", "web").put("root", "host")));
    return new JsonObject()
        .put(
            "nodes",
            new JsonArray().add(new JsonObject().put("name", NODE).put("provider", "process")))
        .put(
            "providers",
            new JsonObject().put("settings", new JsonObject().put("process", process)));
  }

  private void start(TestCluster cluster) throws InterruptedException {
    JsonObject config =
        config()
            .put("kubernetes", new JsonObject().put("kubeconfig", cluster.kubeconfig().toString()))
            .put("agent", new JsonObject().put("dataDir", folder.resolve("data").toString()))
            .put("server", new JsonObject().put("port", 0));
    cluster.closeAfterTest(this::endContainers);
    cluster.closeAfterTest(Vertlet.start(config.encode()));
  }

  /** Ends what runs on without its agent. */
  private void endContainers() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("data/pods"))) {
      for (Path file : files.filter(path -> path.endsWith("state")).toList()) {
        ProcessHandle.of(Long.parseLong(state(file).getProperty("shim")))
            .ifPresent(
                shim -> {
                  shim.destroy();
                  shim.onExit().join();
                });
      }
    }
  }

  private static Properties state(Path file) throws IOException {
    Properties state = new Properties();
    try (var reader = Files.newBufferedReader(file)) {
      state.load(reader);
    }
    return state;
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sockets.add(new ServerSocket(0));
    }
    List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    return ports;
  }

  private void web(TestCluster cluster, String name, int port) {
    cluster.create(
        name,
        NODE,
        spec(
            ("{containers: [{name: main, image: web, command: [python3, -m, http.server, \"%d\"],"
                    + " ports: [{containerPort: %d}], readinessProbe: {periodSeconds: 1,"
                    + " httpGet: {path: /, port: %d}}}]}")
                .formatted(port, port, port)));
  }

  private static void awaitReady(TestCluster cluster, String name) {
    cluster.kubectl("wait", "--for=condition=Ready", "pod/" + name, KubectlRuns.LIMIT);
  }

  private static void script(TestCluster cluster, String name, String text, String more) {
    script(cluster, name, text, more, "Always");
  }

  private static void script(
      TestCluster cluster, String name, String text, String more, String policy) {
    cluster.create(
        name,
        NODE,
        spec(
            "{restartPolicy: "
                + policy
                + ", terminationGracePeriodSeconds: 2, containers: [{name: main, image: any, command: [sh, -c, '"
                + text
                + "']"
                + more
                + "}]}"));
  }

  private ProcessHandle process(TestCluster cluster, String pod, int attempt) throws IOException {
    String uid = cluster.field("pod", pod, "{.metadata.uid}");
    Path file = folder.resolve("data/pods/%s/process/main/%d/state".formatted(uid, attempt));
    return ProcessHandle.of(Long.parseLong(state(file).getProperty("pid"))).orElseThrow();
  }

  private static int restarts(TestCluster cluster, String name) {
    Pod pod = cluster.pods().get(name);
    return pod.getStatus().getContainerStatuses().get(0).getRestartCount();
  }

  @Test
  void aKilledProcessIsRestartedAndTheOthersAreLeftAlone(TestCluster cluster) throws Exception {
    start(cluster);
    List<Integer> ports = freePorts(4);
    for (int i = 0; i < ports.size(); i++) {
      web(cluster, "web" + i, ports.get(i));
    }
    for (int i = 0; i < ports.size(); i++) {
      awaitReady(cluster, "web" + i);
    }

    process(cluster, "web1", 0).destroyForcibly();

    eventually(() -> assertThat(restarts(cluster, "web1")).isEqualTo(1));
    awaitReady(cluster, "web1");
    assertThat(
            cluster.field(
                "pod", "web1", "{.status.containerStatuses[0].lastState.terminated.exitCode}"))
        .isEqualTo("137");
    assertThat(
            List.of(
                restarts(cluster, "web0"), restarts(cluster, "web2"), restarts(cluster, "web3")))
        .containsOnly(0);
    web(cluster, "late", ports.get(0));
    eventually(
        () -> assertThat(cluster.field("pod", "late", "{.status.reason}")).isEqualTo("NodePorts"));
  }

  @Test
  void aPodEndsWithAllItsProcesses(TestCluster cluster) throws Exception {
    start(cluster);
    script(
        cluster,
        "stubborn",
        "trap \"\" TERM; (setsid sleep 4242 &); sleep 4242 & while :; do sleep 1; done",
        "");
    awaitReady(cluster, "stubborn");
    List<ProcessHandle> all =
        new ArrayList<>(
            process(cluster, "stubborn", 0).parent().orElseThrow().descendants().toList());
    assertThat(all).hasSizeGreaterThan(2);

    cluster.kubectl("delete", "pod", "stubborn", "--wait=true");

    assertThat(all).noneMatch(ProcessHandle::isAlive);
    assertThat(folder.resolve("run/s")).isEmptyDirectory();
    eventually(() -> assertThat(folder.resolve("data/pods")).isEmptyDirectory());
  }

  @Test
  void aProgramThatIsNotThereIsAStartError(TestCluster cluster) throws Exception {
    start(cluster);
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
  void aKilledAgentFindsEndsOfItsAbsenceAndAdoptsTheRest(TestCluster cluster) throws Exception {
    Path file = Files.writeString(folder.resolve("vertlet.json"), config().encodePrettily());
    AgentProcess.Setup setup = AgentProcess.Setup.of(folder, file, cluster.kubeconfig());
    cluster.closeAfterTest(this::endContainers);
    AgentProcess agent = cluster.agent(setup);
    Path gate = folder.resolve("gate");
    String wait = "until test -e " + gate + "; do sleep 0.1; done; ";
    for (String pod : List.of("fine", "bad", "killed", "kept")) {
      String then = pod.equals("bad") ? "exit 3" : "echo last line";
      script(cluster, pod, pod.equals("kept") ? "exec sleep 1000" : wait + then, "", "Never");
      awaitReady(cluster, pod);
    }
    ProcessHandle kept = process(cluster, "kept", 0);
    Map<String, String> before = cluster.pods().versions();

    agent.kill();
    process(cluster, "killed", 0).destroyForcibly();
    List<ProcessHandle> ending = List.of(process(cluster, "fine", 0), process(cluster, "bad", 0));
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
    start(cluster);
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
            assertThat(events(cluster, "unmapped"))
                .contains(
                    "Container image \"other\" is not present with pull policy of Never: no rule of"
                        + " the provider process maps it"));
    eventually(
        () ->
            assertThat(events(cluster, "nowhere"))
                .contains("chdir to cwd (\"/no/such\") failed: no such file or directory"));
    eventually(
        () ->
            assertThat(events(cluster, "reader"))
                .contains("FailedMount")
                .contains("MountVolume.SetUp failed for volume \"v\""));
    script(cluster, "other", "exec sleep 1000", "");
    awaitReady(cluster, "other");
  }

  private static String events(TestCluster cluster, String pod) {
    return cluster.kubectl("get", "events", "--field-selector=involvedObject.name=" + pod);
  }

  @Test
  void aNodeSaysWhatItsMachineHasAndUses(TestCluster cluster) throws Exception {
    start(cluster);
    script(cluster, "p", "while :; do :; done", "");
    awaitReady(cluster, "p");

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
  void kubectlReachesAContainer(TestCluster cluster) throws Exception {
    start(cluster);
    script(cluster, "p", "seq 1 1000; exec sleep 1000", "");
    awaitReady(cluster, "p");

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
  void aChangedConfigMapReachesARunningProcess(TestCluster cluster) throws Exception {
    start(cluster);
    cluster.kubectl("create", "configmap", "settings", "--from-literal=colour=red");
    cluster.create(
        "p",
        NODE,
        spec(
            "{volumes: [{name: config, configMap: {name: settings}}], containers: [{name: main,"
                + " image: any, command: [sh, -c, \"while sleep 0.2; do cat $VERTLET_ROOT/c/colour"
                + " $VERTLET_ROOT/one; echo; done\"], volumeMounts: [{name: config, mountPath: /c},"
                + " {name: config, mountPath: /one, subPath: colour}]}]}"));
    awaitReady(cluster, "p");
    eventually(() -> assertThat(cluster.kubectl("logs", "p", "--tail=1")).isEqualTo("redred\n"));

    cluster.kubectl(
        "patch", "configmap", "settings", "--patch", "{\"data\": {\"colour\": \"blue\"}}");

    eventually(() -> assertThat(cluster.kubectl("logs", "p", "--tail=1")).isEqualTo("bluered\n"));
  }
}
