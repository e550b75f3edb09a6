package dev.vertlet.harness.it;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.harness.fault.Fault;
import dev.vertlet.harness.fault.FaultProxy;
import dev.vertlet.harness.fault.InjectedFault;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults while pods come up: each hits when between 20 and 80 % of the pods are Ready. Afterwards
 * every pod is where it should be, none was started twice, and none is left in the runtime.
 */
@ClusterTest(own = true)
class FaultIT {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int RUNS = 20;
  private static final int PODS = 50;

  /** Spreads the starts, so that there is a middle for the fault to hit. */
  private static final String START_DELAY = "500ms..4s";

  private final Vertx vertx = Vertx.vertx();

  @TempDir private Path folder;

  @Test
  void anApiServerThatIsKilledAndRestarted(TestCluster cluster) {
    AgentProcess agent = start(cluster, cluster.agentKubeconfig());
    PodRecorder recorder = cluster.recordPods();
    for (int run = 0; run < RUNS; run++) {
      createAndAwaitTheMiddle(cluster, recorder);

      cluster.controlPlane().killApiServer();
      cluster.controlPlane().restartApiServer();

      allEndWell(cluster, recorder, agent);
    }
  }

  @Test
  void anAgentThatIsKilledAndRestarted(TestCluster cluster) throws Exception {
    AgentProcess agent = start(cluster, cluster.agentKubeconfig());
    PodRecorder recorder = cluster.recordPods();
    for (int run = 0; run < RUNS; run++) {
      createAndAwaitTheMiddle(cluster, recorder);

      agent.kill();

      agent = start(cluster, cluster.agentKubeconfig());
      allEndWell(cluster, recorder, agent);
    }
  }

  @Test
  void aWatchThatIsCutAHundredTimesInAMinute(TestCluster cluster) throws Exception {
    FaultProxy proxy = proxy(cluster);
    AgentProcess agent = start(cluster, proxy.kubeconfig());
    PodRecorder recorder = cluster.recordPods();
    AtomicInteger cuts = new AtomicInteger(); // counted on the proxy's loop, read here
    vertx.setPeriodic(
        600, timer -> proxy.cutWatches().onSuccess(ended -> cuts.addAndGet(Math.min(ended, 1))));
    Instant end = Instant.now().plusSeconds(60);
    for (int run = 0; run < RUNS || Instant.now().isBefore(end); run++) {
      createAndAwaitTheMiddle(cluster, recorder);
      allEndWell(cluster, recorder, agent);
    }
    assertThat(cuts).hasValueGreaterThanOrEqualTo(100);
  }

  @Test
  void aStormOfConflicts(TestCluster cluster) throws Exception {
    storm(cluster, Fault.answer(409));
  }

  @Test
  void aStormOfThrottling(TestCluster cluster) throws Exception {
    storm(cluster, Fault.tooManyRequests(Duration.ofSeconds(1)));
  }

  @Test
  void aStormOfServerErrors(TestCluster cluster) throws Exception {
    storm(cluster, Fault.answer(500));
  }

  private void storm(TestCluster cluster, Fault fault) throws Exception {
    FaultProxy proxy = proxy(cluster);
    AgentProcess agent = start(cluster, proxy.kubeconfig());
    PodRecorder recorder = cluster.recordPods();
    for (int run = 0; run < RUNS; run++) {
      createAndAwaitTheMiddle(cluster, recorder);

      InjectedFault storm =
          proxy.inject(fault.on("patch", "pods/status").withProbability(0.5).times(PODS / 2));

      allEndWell(cluster, recorder, agent);
      assertThat(storm.hits()).isPositive();
      storm.remove();
    }
  }

  @AfterEach
  void closeVertx() throws Exception {
    vertx.close().await(30, SECONDS);
  }

  private FaultProxy proxy(TestCluster cluster) throws Exception {
    return FaultProxy.start(vertx, cluster.agentKubeconfig(), folder, new Random(1))
        .await(30, SECONDS);
  }

  private AgentProcess start(TestCluster cluster, Path kubeconfig) {
    AgentProcess agent =
        cluster.closeAfterTest(AgentProcess.Setup.ofNodes(folder, "fault", 1, kubeconfig).start());
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(agent.ready()).isTrue());
    return agent;
  }

  private static void createAndAwaitTheMiddle(TestCluster cluster, PodRecorder recorder) {
    int gone = recorder.gone().size();
    // in parallel, so that the last is created long before the first is Ready
    IntStream.range(0, PODS)
        .parallel()
        .forEach(
            i ->
                cluster
                    .pods()
                    .create(
                        "p-" + gone + "-" + i,
                        "fault0",
                        pod ->
                            pod.editMetadata()
                                .addToAnnotations("simulated.vertlet.dev/start-delay", START_DELAY)
                                .endMetadata()));
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(PATIENCE)
        .until(() -> recorder.ready().size() >= PODS / 5);
    assertThat(recorder.ready().size()).isLessThanOrEqualTo(PODS * 4 / 5);
  }

  private static void allEndWell(TestCluster cluster, PodRecorder recorder, AgentProcess agent) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(recorder.ready()).hasSize(PODS));
    assertThat(recorder.violations()).isEmpty();
    assertThat(agent.metric("kubelet_running_pods")).isEqualTo(PODS);
    cluster.pods().deleteAll();
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(recorder.present()).isEmpty());
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(agent.metric("kubelet_running_pods")).isZero());
  }
}
