package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.annotated;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import dev.vertlet.harness.fault.Fault;
import dev.vertlet.harness.fault.FaultProxy;
import dev.vertlet.harness.fault.InjectedFault;
import dev.vertlet.harness.fault.TrafficLog;
import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Seeds;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Faults while pods come up: each hits when between 20 and 80 % of the pods are Ready. Afterwards
 * every pod is where it should be, none was started twice, and none is left in the runtime.
 *
 * <p>Most of the time is waiting. So what happens to one agent, which has a node and a namespace of
 * its own, happens beside each other. Alone are the kill of the API server, which all share, and
 * the tests that count on so much happening in so much time.
 */
@ClusterTest(own = true)
class FaultIT {
  private static final String API_SERVER = "the API server";

  private static final int RUNS = Seeds.count(1, 20);

  /** Watches that are cut while pods come and go. */
  private static final int CUTS = Seeds.count(30, 200);

  private static final int PODS = 50;

  /** How often the middle may be missed in a row. */
  private static final int DRAWS = 5;

  /** 150 times in a minute: some come while no watch has told anything yet. */
  private static final long CUT_MILLIS = 400;

  private static final long CHANGE_MILLIS = 50;
  private static final String CHANGE = "{\"metadata\": {\"annotations\": {\"changed\": \"%d\"}}}";

  private static final String STARTS = "vertlet_simulated_container_starts_total";
  private static final String POD_LISTS = "reflector_lists_total{resource=\"pods\"}";
  private static final String LEASE_LOST = "lease lost; the node is served no longer";

  /** Spreads the starts, so that there is a middle for the fault to hit. */
  private static final String START_DELAY = "500ms..2500ms";

  /** As many as the proxy lets through on one connection. */
  private static final String WIDE_WINDOW = "kubernetes.maxRequestsInFlight=100";

  private final Vertx vertx = Vertx.vertx();

  @TempDir private Path folder;

  @Test
  @ResourceLock(API_SERVER)
  @Tag("C63")
  void anApiServerThatIsKilledAndRestarted(TestCluster cluster) {
    AgentProcess agent = start(cluster, cluster.agentKubeconfig());
    PodRecorder recorder = cluster.recordPods();
    for (int run = 0; run < RUNS; run++) {
      createAndAwaitTheMiddle(cluster, recorder);

      cluster.controlPlane().killApiServer();
      cluster.controlPlane().restartApiServer();

      allReady(recorder, agent);
      eachStartedOnce(recorder, agent);
      allGone(cluster, recorder, agent);
    }
  }

  @Test
  @Execution(CONCURRENT)
  @ResourceLock(value = API_SERVER, mode = READ)
  @Tag("C67")
  void anAgentThatIsKilledAndRestarted(TestCluster cluster) throws Exception {
    AgentProcess agent = start(cluster, cluster.agentKubeconfig());
    PodRecorder recorder = cluster.recordPods();
    for (int run = 0; run < RUNS; run++) {
      createAndAwaitTheMiddle(cluster, recorder);

      agent.kill();
      long reported = running(cluster);

      agent = start(cluster, cluster.agentKubeconfig());
      allReady(recorder, agent);
      // the containers that nobody had heard of died with the process
      assertThat(agent.metric(STARTS)).isLessThanOrEqualTo(PODS - reported);
      allGone(cluster, recorder, agent);
    }
  }

  @Test
  @FullRing // a minute of cuts; ReflectorTest has one of each kind
  @ResourceLock(API_SERVER)
  @Tag("C64")
  void aWatchThatIsCutAHundredTimesInAMinute(TestCluster cluster) throws Exception {
    FaultProxy proxy = proxy(cluster);
    AgentProcess agent = start(cluster, proxy.kubeconfig());
    PodRecorder recorder = cluster.recordPods();
    keepWatchBusy(cluster);
    AtomicInteger cuts = new AtomicInteger(); // counted on the proxy's loop, read here
    vertx.setPeriodic(
        CUT_MILLIS, t -> proxy.cutActiveWatches().onSuccess(n -> cuts.addAndGet(Math.min(n, 1))));
    for (int run = 0; run < RUNS || cuts.get() < CUTS; run++) {
      createAndAwaitTheMiddle(cluster, recorder);

      allReady(recorder, agent);
      eachStartedOnce(recorder, agent);
      allGone(cluster, recorder, agent);
    }
  }

  /**
   * So that each watch has something to tell and can be cut: one pod of the node changes all the
   * time. It has failed already and is nothing to run.
   */
  private void keepWatchBusy(TestCluster cluster) {
    Pod failed =
        TestPods.template("changing", node(cluster))
            .editMetadata()
            .withNamespace("default")
            .addToAnnotations("simulated.vertlet.dev/run-for", "no duration")
            .endMetadata()
            .build();
    cluster.client().resource(failed).create();
    cluster.closeAfterTest(() -> cluster.client().resource(failed).withGracePeriod(0).delete());
    change(cluster.client().pods().resource(failed));
  }

  private void change(PodResource pod) {
    vertx
        .executeBlocking(() -> pod.patch(TestCluster.MERGE, CHANGE.formatted(System.nanoTime())))
        .onComplete(done -> vertx.setTimer(CHANGE_MILLIS, t -> change(pod)));
  }

  @Test
  @FullRing // the storm of server errors is daily
  @Execution(CONCURRENT)
  @ResourceLock(value = API_SERVER, mode = READ)
  @Tag("C65")
  void aStormOfConflicts(TestCluster cluster) throws Exception {
    storm(cluster, Fault.answer(409).withProbability(0.2));
  }

  @Test
  @FullRing // each pause is a second; the storm of server errors is daily
  @Execution(CONCURRENT)
  @ResourceLock(value = API_SERVER, mode = READ)
  void aStormOfThrottling(TestCluster cluster) throws Exception {
    // each one pauses all lanes but that of leases for a second: with the usual window of 64
    // requests a run would be eight pauses, and nothing but them
    storm(
        cluster,
        Fault.tooManyRequests(Duration.ofSeconds(1)).withProbability(0.1),
        "--set",
        WIDE_WINDOW);
  }

  @Test
  @Execution(CONCURRENT)
  @ResourceLock(value = API_SERVER, mode = READ)
  @Tag("C65")
  void aStormOfServerErrors(TestCluster cluster) throws Exception {
    storm(cluster, Fault.answer(500).withProbability(0.2));
  }

  /** Hits whatever the agent asks for but lists and watches, until all pods of the run are gone. */
  private void storm(TestCluster cluster, Fault fault, String... arguments) throws Exception {
    FaultProxy proxy = proxy(cluster);
    AgentProcess agent =
        start(
            cluster,
            proxy.kubeconfig(),
            Stream.concat(
                    Stream.of(
                        "--set",
                        "lease.renewInterval=1s",
                        "--set",
                        "nodeStatus.reportFrequency=1s"),
                    Stream.of(arguments))
                .toArray(String[]::new));
    PodRecorder recorder = cluster.recordPods();
    for (int run = 0; run < RUNS; run++) {
      createAndAwaitTheMiddle(cluster, recorder);

      List<InjectedFault> storm =
          Stream.of("create", "get", "update", "patch", "delete")
              .map(verb -> proxy.inject(fault.on(verb, "*")))
              .toList();

      allReady(recorder, agent);
      eachStartedOnce(recorder, agent);
      allGone(cluster, recorder, agent);
      // these go on without pods: chance may have left them out so far
      eventually(
          () -> {
            assertThat(proxy.traffic().total("update", "leases").failures()).isPositive();
            assertThat(proxy.traffic().total("patch", "nodes/status").failures()).isPositive();
          });
      storm.forEach(InjectedFault::remove);
    }
    TrafficLog traffic = proxy.traffic();
    assertThat(traffic.total("patch", "pods/status").failures()).isPositive();
    assertThat(traffic.total("delete", "pods").failures()).isPositive();
    assertThat(traffic.total("create", "events").failures()).isPositive();
    assertThat(agent.log()).doesNotContain(LEASE_LOST);
  }

  /**
   * What was started and not reported by then is given up with the lease, as another agent may have
   * started it meanwhile; what was reported goes on.
   */
  @Test
  @ResourceLock(API_SERVER)
  void anOutageThatOutlastsTheLease(TestCluster cluster) throws Exception {
    FaultProxy proxy = proxy(cluster);
    AgentProcess agent =
        start(
            cluster,
            proxy.kubeconfig(),
            "--set",
            "lease.duration=8s",
            "--set",
            "lease.renewInterval=2s");
    PodRecorder recorder = cluster.recordPods();
    createAndAwaitTheMiddle(cluster, recorder);
    double lists = agent.metric(POD_LISTS);

    get(proxy.refuse());
    eventually(() -> assertThat(agent.log()).contains(LEASE_LOST));
    assertThat(agent.ready()).isFalse();
    double starts = agent.metric(STARTS);
    long reported = running(cluster);
    // all of them where the machine was slow to cut the connections
    assertThat(reported).isBetween(PODS / 5L, (long) PODS);
    get(proxy.accept());

    allReady(recorder, agent);
    assertThat(agent.metric(STARTS) - starts).isEqualTo(PODS - reported);
    assertThat(agent.ready()).isTrue();
    assertThat(agent.metric(POD_LISTS)).isGreaterThan(lists);
    assertThat(agent.log()).containsSubsequence(LEASE_LOST, "lease acquired; the node is served");
    allGone(cluster, recorder, agent);
  }

  @AfterEach
  void closeVertx() throws Exception {
    get(vertx.close());
  }

  private FaultProxy proxy(TestCluster cluster) throws Exception {
    return get(FaultProxy.start(vertx, cluster.agentKubeconfig(), folder, new Random(1)));
  }

  private AgentProcess start(TestCluster cluster, Path kubeconfig, String... arguments) {
    return cluster.agent(
        AgentProcess.Setup.ofNodes(folder, cluster.namespace() + "-", 1, kubeconfig)
            .with(arguments));
  }

  /** The one node of a test's agent; no other test's is named so. */
  private static String node(TestCluster cluster) {
    return cluster.namespace() + "-0";
  }

  /** Draws again where the machine was too busy to catch the pods between 20 and 80 %. */
  private static void createAndAwaitTheMiddle(TestCluster cluster, PodRecorder recorder) {
    for (int draw = 0; draw < DRAWS; draw++) {
      create(cluster, recorder);
      await().pollInterval(Duration.ofMillis(20)).until(() -> recorder.ready().size() >= PODS / 5);
      if (recorder.ready().size() <= PODS * 4 / 5) {
        return;
      }
      eventually(() -> assertThat(recorder.ready()).hasSize(PODS));
      cluster.pods().deleteAll();
      eventually(() -> assertThat(recorder.present()).isEmpty());
    }
    throw new AssertionError("the middle was missed " + DRAWS + " times");
  }

  private static void create(TestCluster cluster, PodRecorder recorder) {
    int before = recorder.histories().size();
    // at once, so that the last is created long before the first is Ready
    cluster
        .pods()
        .createMany("p-" + before, PODS, i -> node(cluster), annotated("start-delay", START_DELAY));
  }

  /** How many pods run by what the API server was told. */
  private static long running(TestCluster cluster) {
    return cluster.pods().list().stream()
        .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
        .count();
  }

  private static void allReady(PodRecorder recorder, AgentProcess agent) {
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS));
    assertThat(recorder.violations()).isEmpty();
    eventually(() -> assertThat(agent.metric("kubelet_running_pods")).isEqualTo(PODS));
  }

  /** Of an agent that was there from the first pod on; each pod has one container. */
  private static void eachStartedOnce(PodRecorder recorder, AgentProcess agent) {
    assertThat(agent.metric(STARTS)).isEqualTo(recorder.histories().size());
  }

  private static void allGone(TestCluster cluster, PodRecorder recorder, AgentProcess agent) {
    cluster.pods().deleteAll();
    eventually(() -> assertThat(recorder.present()).isEmpty());
    eventually(() -> assertThat(agent.metric("kubelet_running_pods")).isZero());
  }
}
