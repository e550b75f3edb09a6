package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.annotated;
import static dev.vertlet.harness.it.TestPods.container;
import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.testsupport.FullRing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The clock of an agent's machine is set by an hour, forward and back, while the cluster's own goes
 * on. A library that is loaded into the agent does it, to the wall clock alone.
 */
@ClusterTest(controllers = true)
@Needs(Tool.FAKETIME)
@FullRing // the node controller takes a minute to miss renewals
class ClockJumpIT {
  private static final String NODE = "jumping0";
  private static final int PODS = 5;

  /** How often a node's runtime is asked how it is. */
  private static final int HEALTH_PERIOD_SECONDS = 5;

  /**
   * Longer than the 50 s of kube-controller-manager's {@code --node-monitor-grace-period}, by the
   * agent's clock.
   */
  private static final Duration MORE_THAN_GRACE = Duration.ofSeconds(65);

  @TempDir private Path folder;

  @Test
  void aNodeStaysReadyWhenItsAgentsClockIsSetForwardAndBack(TestCluster cluster) throws Exception {
    set("+0");
    AgentProcess agent = cluster.closeAfterTest(start(cluster));
    agent.awaitReady();
    NodeReadiness ready = cluster.closeAfterTest(NodeReadiness.watch(cluster.client(), NODE));
    PodRecorder recorder = cluster.recordPods();
    create(cluster, "before", PODS);
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS));

    set("+3600");
    livesOn(cluster, agent, recorder, "forward", PODS, HEALTH_PERIOD_SECONDS + 1L);
    set("+0");
    livesOn(cluster, agent, recorder, "back", PODS + 2, 2);
    // the node controller ignores renewals with an earlier renewTime than those before
    ZonedDateTime back = renewed(cluster);
    await()
        .atMost(MORE_THAN_GRACE.multipliedBy(3))
        .until(() -> !renewed(cluster).isBefore(back.plus(MORE_THAN_GRACE)));

    assertThat(ready.statuses()).isNotEmpty().containsOnly("True");
    assertThat(recorder.violations()).isEmpty();
    assertThat(agent.log()).doesNotContain("lease lost", "PLEG");
  }

  /** Longer than a runtime's health is asked for, and with what goes by time in it. */
  private void livesOn(
      TestCluster cluster,
      AgentProcess agent,
      PodRecorder recorder,
      String name,
      int pods,
      long grace) {
    ZonedDateTime from = renewed(cluster);
    create(cluster, name, 2);
    eventually(() -> assertThat(recorder.ready()).hasSize(pods + 2));
    // a container that ends only when its grace is over
    String stubborn = "stubborn-" + name;
    cluster.create(
        stubborn,
        NODE,
        annotated("stop-delay", "never"),
        spec("terminationGracePeriodSeconds: " + grace));
    cluster.kubectl("wait", "--for=condition=Ready", "pod/" + stubborn, KubectlRuns.LIMIT);
    cluster.kubectl("delete", "pod", stubborn, KubectlRuns.LIMIT);
    await().until(() -> !renewed(cluster).isEqual(from));
    assertThat(agent.ready()).isTrue();
  }

  private static void create(TestCluster cluster, String name, int count) {
    cluster
        .pods()
        .createMany(
            name,
            count,
            i -> NODE,
            pod ->
                container("readinessProbe: {exec: {command: [\"true\"]}, periodSeconds: 1}")
                    .apply(annotated("start-delay", "300ms").apply(pod)));
  }

  private static ZonedDateTime renewed(TestCluster cluster) {
    return cluster.lease(NODE).getSpec().getRenewTime();
  }

  private AgentProcess start(TestCluster cluster) {
    return cluster
        .agentSetup(folder, "jumping")
        .with("--set", "lease.renewInterval=1s", "--set", "lease.duration=20s")
        .withEnvironment(
            Map.of(
                "LD_PRELOAD",
                Tool.FAKETIME.find().orElseThrow().toString(),
                "FAKETIME_TIMESTAMP_FILE",
                file().toString(),
                "FAKETIME_CACHE_DURATION",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1"))
        .start();
  }

  private Path file() {
    return folder.resolve("clock");
  }

  /** By so many seconds ahead of the time it is. */
  private void set(String seconds) throws Exception {
    Path next = Files.writeString(folder.resolve("next"), seconds + "\n");
    Files.move(next, file(), StandardCopyOption.ATOMIC_MOVE);
  }
}
