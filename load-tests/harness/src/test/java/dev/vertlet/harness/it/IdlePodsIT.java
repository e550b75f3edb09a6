package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What pods cost that only are there, measured by the agent itself and in its heap. */
@ClusterTest
class IdlePodsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final int PODS = 10_000;

  /** Created, written three times by the agent. */
  private static final int MOST_VERSIONS = 4;

  /** Far from one for each pod. */
  private static final int FEW = 100;

  /** Half a minute of two loops, of which each is looked at four times a second. */
  private static final int TURNS = 240;

  private static final double ON_TIME = 0.99;

  /** A dozen of the turns: a collection, or another process that had the core just then. */
  private static final double NOISE = 0.05;

  private static final String THREADS = "jvm_threads_live_threads";
  private static final String LAG = "vertlet_event_loop_lag_seconds";

  @TempDir private Path folder;

  @Test
  void c62TenThousandPodsOfOneNodeTakeNoThreadAndNoTimerEach(TestCluster cluster) throws Exception {
    AgentProcess agent = start(cluster);
    double threads = agent.metric(THREADS);
    PodRecorder recorder = cluster.recordPods();

    cluster.pods().createMany("p", "idle0", PODS);
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(() -> assertThat(recorder.ready()).hasSize(PODS));

    MachineLag machine = cluster.closeAfterTest(MachineLag.start());
    Lag before = Lag.of(agent);
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(5))
        .until(() -> Lag.of(agent).minus(before).turns >= TURNS);
    Lag idle = Lag.of(agent).minus(before);
    double possible = machine.shareWithin(Duration.ofMillis(10));

    assertThat(recorder.violations()).isEmpty();
    assertThat(recorder.histories().values())
        .allSatisfy(pod -> assertThat(pod.observations()).hasSizeLessThanOrEqualTo(MOST_VERSIONS));
    assertThat(agent.metric("rest_client_requests_total", "resource=\"pods/status\""))
        .as("status writes")
        .isLessThanOrEqualTo(3.0 * PODS);
    assertThat(agent.metric(THREADS)).isLessThan(threads + FEW);
    Map<String, Long> heap = agent.heap();
    assertThat(count(heap, "dev.vertlet.lifecycle.PodState")).as("pods").isEqualTo(PODS);
    assertThat(count(heap, "java.lang.Thread")).as("threads").isLessThan(FEW);
    assertThat(count(heap, "ScheduledFutureTask")).as("Netty's timers").isBetween(1L, FEW - 1L);
    assertThat(count(heap, "TimerHandler")).as("Vert.x's timers").isBetween(1L, FEW - 1L);

    System.out.printf(
        "%d idle pods: %.0f turns of the loops measured, %.2f %% within 10 ms (an idle thread of"
            + " this machine: %.2f %%)%n",
        PODS, idle.turns, 100 * idle.share(), 100 * possible);
    assertThat(idle.share())
        .as("share of turns within 10 ms; an idle thread's is %s", possible)
        .isGreaterThan(Math.min(ON_TIME, possible) - NOISE);
  }

  private AgentProcess start(TestCluster cluster) throws IOException {
    Path config = folder.resolve("vertlet.json");
    Files.writeString(
        config,
        """
        {"nodes": [{"name": "idle0",
          "capacity": {"cpu": "100000", "memory": "100Ti", "pods": "%d"}}]}
        """
            .formatted(PODS));
    AgentProcess agent =
        cluster.closeAfterTest(
            AgentProcess.Setup.of(folder, config, cluster.agentKubeconfig()).start());
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(agent.ready()).isTrue());
    return agent;
  }

  /** Objects of all classes whose name ends so. */
  private static long count(Map<String, Long> heap, String name) {
    return heap.entrySet().stream()
        .filter(entry -> entry.getKey().endsWith(name))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** How late all loops together were, since the process started. */
  private record Lag(double turns, double within10ms) {
    static Lag of(AgentProcess agent) {
      return new Lag(agent.metric(LAG + "_count"), agent.metric(LAG + "_bucket", "le=\"0.01\""));
    }

    Lag minus(Lag before) {
      return new Lag(turns - before.turns, within10ms - before.within10ms);
    }

    double share() {
      return within10ms / turns;
    }
  }
}
