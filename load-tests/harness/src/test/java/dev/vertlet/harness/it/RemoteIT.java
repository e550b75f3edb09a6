package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.api.model.Pod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real processes of the example back ends as pods of a real control plane. */
@ClusterTest(controllers = true)
class RemoteIT {
  private static final String NODE = "away0";

  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init") // set by start
  private ExampleBackend backend;

  @SuppressWarnings("NullAway.Init") // set by start
  private AgentProcess.Setup setup;

  @SuppressWarnings("NullAway.Init") // set by start
  private AgentProcess agent;

  private void start(TestCluster cluster, String example) throws Exception {
    backend = cluster.closeAfterTest(ExampleBackend.start(example, LoopbackPorts.next()));
    String level = example.substring(0, example.indexOf('.'));
    JsonObject remote = new JsonObject().put("url", backend.url()).put("level", level);
    JsonObject config =
        new JsonObject()
            .put(
                "nodes",
                new JsonArray()
                    .add(
                        new JsonObject()
                            .put("name", NODE)
                            .put("provider", "remote")
                            .put("taints", new JsonArray())
                            .put("labels", new JsonObject().put("pool", "away"))))
            .put(
                "providers",
                new JsonObject().put("settings", new JsonObject().put("remote", remote)));
    Path file = Files.writeString(folder.resolve("vertlet.json"), config.encodePrettily());
    // the rights of users who try it with their own kubeconfig
    setup = AgentProcess.Setup.of(folder, file, cluster.kubeconfig());
    agent = cluster.agent(setup);
    eventually(() -> assertThat(cluster.isReady(NODE)).isTrue());
  }

  private static String template(String app, String policy, String script, String more) {
    return """
    {metadata: {labels: {app: %s}}, spec: {restartPolicy: %s, nodeSelector: {pool: away}, \
    terminationGracePeriodSeconds: 2, \
    containers: [{name: main, image: "example.com/app:1", command: [sh, -c, '%s'] %s}]}}\
    """
        .formatted(app, policy, script, more);
  }

  private static void deploy(TestCluster cluster) {
    String web = "echo began; exec python3 -m http.server 0 --bind 127.0.0.1";
    String more = ", readinessProbe: {exec: {command: [\"true\"]}, periodSeconds: 1}";
    cluster.createAll(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web}
        spec: {replicas: 3, selector: {matchLabels: {app: web}}, template: %s}
        """
            .formatted(template("web", "Always", web, more)));
    rolledOut(cluster);
  }

  private static void rolledOut(TestCluster cluster) {
    cluster.kubectl("rollout", "status", "deployment/web", KubectlRuns.LIMIT);
  }

  private static List<Pod> web(TestCluster cluster) {
    return cluster.pods().list().stream()
        .filter(pod -> "web".equals(pod.getMetadata().getLabels().get("app")))
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"pods.py, put", "containers.py, sandbox", "pods.mjs, put"})
  void aDeploymentRollsOutAndSurvivesTheEndOfItsAgent(
      String file, String operation, TestCluster cluster) throws Exception {
    start(cluster, file);
    deploy(cluster);
    Map<String, String> before = cluster.pods().versions();

    agent.kill();
    AgentProcess second = cluster.agent(setup);
    Waits.eventually(() -> assertThat(cluster.isReady(NODE)).isTrue());
    cluster.create("probe", NODE, TestPods.container("command: [sleep, \"1000\"]"));
    cluster.kubectl("wait", "--for=condition=Ready", "pod/probe", KubectlRuns.LIMIT);

    assertThat(cluster.pods().versions()).as("statuses").containsAllEntriesOf(before);
    assertThat(
            second.metric("vertlet_remote_call_duration_seconds_count", "operation=\"" + operation))
        .as("pods that were sent again")
        .isEqualTo(1);
    cluster.kubectl("set", "env", "deployment/web", "VERSION=2");
    rolledOut(cluster);
    assertThat(web(cluster)).hasSize(3);
    assertThat(
            cluster.kubectl(
                "exec",
                web(cluster).get(0).getMetadata().getName(),
                "--",
                "sh",
                "-c",
                "echo $VERSION"))
        .isEqualTo("2\n");
    cluster.kubectl("delete", "deployment/web", "pod/probe");
    eventually(() -> assertThat(cluster.pods().list()).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"pods.py", "containers.py"})
  void aJobIsRetriedAndAnotherCompletes(String file, TestCluster cluster) throws Exception {
    start(cluster, file);
    cluster.createAll(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: broken}
        spec: {backoffLimit: 1, template: %s}
        """
            .formatted(template("broken", "Never", "exit 3", "")));
    cluster.createAll(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: sum}
        spec: {completions: 5, parallelism: 5, template: %s}
        """
            .formatted(template("sum", "OnFailure", "echo sum", "")));

    cluster.kubectl("wait", "--for=condition=Complete", "job/sum", KubectlRuns.LIMIT);
    cluster.kubectl("wait", "--for=condition=Failed", "job/broken", KubectlRuns.LIMIT);

    assertThat(cluster.kubectl("logs", "job/sum")).isEqualTo("sum\n");
    assertThat(cluster.field("job", "broken", "{.status.failed}")).isEqualTo("2");
  }

  @ParameterizedTest
  @CsvSource({"pods.py", "containers.py"})
  void podsOfAStatefulSetComeInOrderAndKeepTheirNames(String file, TestCluster cluster)
      throws Exception {
    start(cluster, file);
    cluster.createAll(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: db}
        spec: {replicas: 3, serviceName: db, selector: {matchLabels: {app: db}}, template: %s}
        """
            .formatted(template("db", "Always", "exec sleep 1000", "")));
    cluster.kubectl("rollout", "status", "statefulset/db", KubectlRuns.LIMIT);
    List<String> starts =
        List.of(started(cluster, "db-0"), started(cluster, "db-1"), started(cluster, "db-2"));
    String uid = cluster.field("pod", "db-1", "{.metadata.uid}");

    cluster.kubectl("delete", "pod", "db-1");
    eventually(
        () ->
            assertThat(cluster.pods().list())
                .anyMatch(
                    pod ->
                        pod.getMetadata().getName().equals("db-1")
                            && !pod.getMetadata().getUid().equals(uid)
                            && "Running".equals(pod.getStatus().getPhase())));

    assertThat(starts).isSorted();
    cluster.kubectl("scale", "statefulset/db", "--replicas=1");
    eventually(
        () ->
            assertThat(cluster.pods().list())
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactly("db-0"));
    cluster.kubectl("delete", "statefulset/db");
    eventually(() -> assertThat(cluster.pods().list()).isEmpty());
  }

  private static String started(TestCluster cluster, String pod) {
    return cluster.field("pod", pod, "{.status.containerStatuses[0].state.running.startedAt}");
  }

  @FullRing // a CronJob needs up to a minute for its first Job
  @ParameterizedTest
  @CsvSource({"pods.py", "containers.py"})
  void aCronJobRunsAtItsMinute(String file, TestCluster cluster) throws Exception {
    start(cluster, file);
    cluster.createAll(
        """
        apiVersion: batch/v1
        kind: CronJob
        metadata: {name: tick}
        spec: {schedule: "* * * * *", jobTemplate: {spec: {template: %s}}}
        """
            .formatted(template("tick", "Never", "echo tick", "")));

    await()
        .until(() -> !cluster.field("cronjob", "tick", "{.status.lastSuccessfulTime}").isEmpty());

    Pod pod = cluster.pods().list().get(0);
    assertThat(cluster.kubectl("logs", pod.getMetadata().getName())).isEqualTo("tick\n");
  }

  @ParameterizedTest
  @CsvSource({"pods.py", "containers.py"})
  void logsCommandsAndPortsReachTheProcess(String file, TestCluster cluster) throws Exception {
    start(cluster, file);
    KubectlRuns kubectl =
        new KubectlRuns(
            cluster.controlPlane().kubectlProgram(),
            cluster.kubeconfig(),
            cluster.namespace(),
            folder);
    String script = "echo one; echo two >&2; echo three; sleep 1000";
    cluster.create("talker", NODE, TestPods.container("command: [sh, -c, \"" + script + "\"]"));
    cluster.kubectl("wait", "--for=condition=Ready", "pod/talker", KubectlRuns.LIMIT);

    eventually(
        () -> assertThat(kubectl.output("logs", "talker").lines()).contains("one", "two", "three"));
    assertThat(kubectl.output("logs", "talker", "--tail=1").lines()).hasSize(1);
    byte[] bytes = new byte[5_000_000];
    new Random(1).nextBytes(bytes);
    Path input = Files.write(folder.resolve("input"), bytes);
    try (KubectlRuns.Run copy =
        kubectl.start(Map.of(), input, "exec", "-i", "talker", "--", "cat")) {
      int code = copy.exitCode();
      assertThat(code).as("%s", copy.err()).isZero();
      assertThat(Files.readAllBytes(copy.folder().resolve("out"))).isEqualTo(bytes);
    }
    assertThat(kubectl.error("exec", "talker", "--", "sh", "-c", "exit 7")).contains("exit code 7");
    assertThat(kubectl.output("get", "--raw", "/api/v1/nodes/" + NODE + "/proxy/stats/summary"))
        .contains("talker");
  }

  @Test
  void aBackEndThatRestartsGetsItsPodsOnceMore(TestCluster cluster) throws Exception {
    start(cluster, "pods.py");
    cluster.create("always", NODE, TestPods.container("command: [sleep, \"1000\"]"));
    cluster.create(
        "never",
        NODE,
        TestPods.container("command: [sleep, \"1000\"]"),
        TestPods.spec("restartPolicy: Never"));
    cluster.kubectl("wait", "--for=condition=Ready", "pod/always", "pod/never", KubectlRuns.LIMIT);

    backend.close();
    cluster.closeAfterTest(ExampleBackend.start("pods.py", backend.port()));

    await()
        .until(
            () ->
                cluster
                    .field("pod", "always", "{.status.containerStatuses[0].restartCount}")
                    .equals("1"));
    cluster.tells(
        "Failed NotFound",
        "get",
        "pod",
        "never",
        "-o",
        "jsonpath={.status.phase} {.status.reason}");
  }
}
