package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.FullRing;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The controllers and the scheduler of a real control plane with the pods of one agent. What takes
 * the controllers long begins first and is looked at last.
 */
@ClusterTest(controllers = true)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WorkloadsIT {
  private static final int LAST = Integer.MAX_VALUE - 1;

  /** It takes finished pods, too, which other tests look at. */
  private static final int AFTER_ALL = Integer.MAX_VALUE;

  private static final List<String> NODES = List.of("work0", "work1", "work2");
  private static final String CONFIG =
      """
      {"nodes": [{"name": "work{i}", "count": 3, "labels": {"pool": "work"},
        "capacity": {"cpu": "100", "memory": "1Ti", "pods": "500"}}]}
      """;

  @TempDir private static Path folder;

  private static PodRecorder recorder;

  @BeforeAll
  static void start(TestCluster cluster) throws Exception {
    Path config = Files.writeString(folder.resolve("vertlet.json"), CONFIG);
    cluster.agent(AgentProcess.Setup.of(folder, config, cluster.agentKubeconfig()));
    recorder = cluster.recordPods();
    cluster.createAll(
        """
        apiVersion: batch/v1
        kind: CronJob
        metadata: {name: tick}
        spec: {schedule: "* * * * *", jobTemplate: {spec: {template: %s}}}
        """
            .formatted(template("tick", "restartPolicy: OnFailure", "run-for: 1s")));
    cluster.createAll(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: broken}
        spec: {backoffLimit: 1, template: %s}
        """
            .formatted(template("broken", "restartPolicy: Never", "exit-code: \"3\"")));
  }

  /** A pod template for the agent's nodes alone. */
  private static String template(String app, String policy, String annotation) {
    return """
    {metadata: {labels: {app: %s}, annotations: {simulated.vertlet.dev/%s}}, spec: {%s, \
    nodeSelector: {pool: work}, tolerations: [{key: virtual-kubelet.io/provider, operator: Exists}], \
    containers: [{name: main, image: "example.com/app:1"}]}}\
    """
        .formatted(app, annotation, policy);
  }

  private static String template(String app) {
    return template(app, "restartPolicy: Always", "ready-delay: \"0\"");
  }

  private static void deploy(TestCluster cluster, String name, int replicas) {
    cluster.createAll(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: %s}
        spec: {replicas: %d, selector: {matchLabels: {app: %s}}, template: %s}
        """
            .formatted(name, replicas, name, template(name)));
    rolledOut(cluster, "deployment/" + name);
  }

  private static void rolledOut(TestCluster cluster, String workload) {
    cluster.kubectl("rollout", "status", workload, KubectlRuns.LIMIT);
  }

  /** Pods of a workload that nobody has asked to go. */
  private static List<Pod> pods(TestCluster cluster, String app) {
    return cluster.pods().list().stream()
        .filter(pod -> app.equals(pod.getMetadata().getLabels().get("app")))
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  private static List<String> images(TestCluster cluster, String app) {
    return pods(cluster, app).stream()
        .map(pod -> TestPods.firstContainer(pod).getImage())
        .distinct()
        .toList();
  }

  @Test
  void aDeploymentRollsOutAndBack(TestCluster cluster) {
    deploy(cluster, "web", 4);
    assertThat(images(cluster, "web")).containsExactly("example.com/app:1");

    cluster.kubectl("set", "image", "deployment/web", "main=example.com/app:2");
    rolledOut(cluster, "deployment/web");
    assertThat(images(cluster, "web")).containsExactly("example.com/app:2");

    cluster.kubectl("rollout", "undo", "deployment/web");
    rolledOut(cluster, "deployment/web");
    assertThat(images(cluster, "web")).containsExactly("example.com/app:1");
    assertThat(pods(cluster, "web")).hasSize(4);
  }

  @Test
  void aJobCompletes(TestCluster cluster) {
    cluster.createAll(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: sum}
        spec: {completions: 4, parallelism: 2, template: %s}
        """
            .formatted(template("sum", "restartPolicy: Never", "run-for: 1s")));

    cluster.kubectl("wait", "--for=condition=Complete", "job/sum", KubectlRuns.LIMIT);

    assertThat(job(cluster, "sum").getStatus().getSucceeded()).isEqualTo(4);
    assertThat(pods(cluster, "sum"))
        .hasSize(4)
        .allSatisfy(pod -> assertThat(pod.getStatus().getPhase()).isEqualTo("Succeeded"));
  }

  @Test
  void aStatefulSetScalesInOrder(TestCluster cluster) {
    PodOrder order = cluster.closeAfterTest(PodOrder.watch(cluster, "db"));
    cluster.createAll(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: db}
        spec: {serviceName: db, replicas: 3, selector: {matchLabels: {app: db}}, template: %s}
        """
            .formatted(template("db", "restartPolicy: Always", "ready-delay: 1s")));
    rolledOut(cluster, "statefulset/db");

    cluster.kubectl("scale", "statefulset/db", "--replicas=1");

    eventually(
        () ->
            assertThat(order.seen())
                .containsExactly(
                    "db-0 created",
                    "db-0 ready",
                    "db-1 created",
                    "db-1 ready",
                    "db-2 created",
                    "db-2 ready",
                    "db-2 gone",
                    "db-1 gone"));
  }

  @Test
  void aDaemonSetLandsOnEveryVirtualNode(TestCluster cluster) {
    cluster.createAll(
        """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: everywhere}
        spec: {selector: {matchLabels: {app: everywhere}}, template: %s}
        """
            .formatted(template("everywhere")));
    rolledOut(cluster, "daemonset/everywhere");

    assertThat(pods(cluster, "everywhere"))
        .extracting(pod -> pod.getSpec().getNodeName())
        .containsExactlyInAnyOrderElementsOf(NODES);
  }

  @FullRing
  @Test
  void aPodDisruptionBudgetHoldsAnEviction(TestCluster cluster) {
    deploy(cluster, "guarded", 2);
    cluster.createAll(
        """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: guarded}
        spec: {minAvailable: 2, selector: {matchLabels: {app: guarded}}}
        """);
    eventually(() -> assertThat(allowed(cluster)).isZero());
    String pod = pods(cluster, "guarded").get(0).getMetadata().getName();

    assertThat(evict(cluster, pod)).isFalse();
    assertThat(pods(cluster, "guarded")).hasSize(2);

    cluster.kubectl("patch", "pdb", "guarded", "-p", "{\"spec\": {\"minAvailable\": 1}}");
    eventually(() -> assertThat(allowed(cluster)).isEqualTo(1));
    assertThat(evict(cluster, pod)).isTrue();
    eventually(
        () ->
            assertThat(pods(cluster, "guarded"))
                .hasSize(2)
                .noneMatch(found -> found.getMetadata().getName().equals(pod)));
  }

  private static int allowed(TestCluster cluster) {
    PodDisruptionBudget budget =
        cluster
            .client()
            .policy()
            .v1()
            .podDisruptionBudget()
            .inNamespace(cluster.namespace())
            .withName("guarded")
            .get();
    boolean counted = budget.getStatus() != null && budget.getStatus().getExpectedPods() == 2;
    return counted ? budget.getStatus().getDisruptionsAllowed() : -1;
  }

  /** Whether the API server let the pod be evicted. */
  private static boolean evict(TestCluster cluster, String pod) {
    return cluster.client().pods().inNamespace(cluster.namespace()).withName(pod).evict();
  }

  @Test
  @Order(AFTER_ALL)
  void drainEmptiesANode(TestCluster cluster) {
    deploy(cluster, "many", 9);
    assertThat(on(cluster, "work2")).as("pods before the drain").isNotEmpty();
    try {
      cluster.kubectl("drain", "work2", "--ignore-daemonsets", "--force", KubectlRuns.LIMIT);

      assertThat(on(cluster, "work2")).isEmpty();
      eventually(
          () -> assertThat(on(cluster, "work0").size() + on(cluster, "work1").size()).isEqualTo(9));
    } finally {
      cluster.kubectl("uncordon", "work2");
    }
  }

  private static List<Pod> on(TestCluster cluster, String node) {
    return pods(cluster, "many").stream()
        .filter(pod -> node.equals(pod.getSpec().getNodeName()))
        .toList();
  }

  @Test
  @Order(LAST - 1)
  void aJobFailsWhenItsPodsHaveFailedAsOftenAsTold(TestCluster cluster) {
    cluster.kubectl("wait", "--for=condition=Failed", "job/broken", KubectlRuns.LIMIT);

    assertThat(job(cluster, "broken").getStatus().getConditions())
        .filteredOn(condition -> condition.getType().equals("Failed"))
        .extracting(JobCondition::getReason)
        .containsExactly("BackoffLimitExceeded");
    assertThat(pods(cluster, "broken"))
        .as("the first and one more")
        .hasSize(2)
        .allSatisfy(
            pod ->
                assertThat(
                        pod.getStatus()
                            .getContainerStatuses()
                            .get(0)
                            .getState()
                            .getTerminated()
                            .getExitCode())
                    .isEqualTo(3));
  }

  private static Job job(TestCluster cluster, String name) {
    return cluster
        .client()
        .batch()
        .v1()
        .jobs()
        .inNamespace(cluster.namespace())
        .withName(name)
        .get();
  }

  @Test
  @Order(LAST)
  void aCronJobFires(TestCluster cluster) {
    eventually(
        () -> {
          CronJobStatus status =
              cluster
                  .client()
                  .batch()
                  .v1()
                  .cronjobs()
                  .inNamespace(cluster.namespace())
                  .withName("tick")
                  .get()
                  .getStatus();
          assertThat(status.getLastScheduleTime()).isNotNull();
          assertThat(status.getLastSuccessfulTime()).isNotNull();
        });
    assertThat(pods(cluster, "tick"))
        .isNotEmpty()
        .anyMatch(pod -> pod.getStatus().getPhase().equals("Succeeded"));
    assertThat(recorder.violations()).isEmpty();
  }
}
