package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Measuring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What pods cost that only are there, measured by the agent itself and in its heap. */
@Measuring
@ClusterTest
@FullRing
class IdlePodsIT {
  private static final int PODS = 10_000;

  /** Created, written three times by the agent. */
  private static final int MOST_VERSIONS = 4;

  /** Threads and timers that come with requests under way, and go: not one for a thousand pods. */
  private static final int SLACK = 10;

  /** 40 seconds of two loops, of which each is looked at four times a second. */
  private static final int TURNS = 320;

  private static final double LATE = 0.01;

  /**
   * Periods of which one has to be good: what pods cost is there in each of them, and what other
   * processes do just then is not.
   */
  private static final int PERIODS = 3;

  /** Of one core: 5 µs a second for each pod. Whatever else runs on the machine counts not. */
  private static final double CPU = 0.05;

  private static final String THREADS = "jvm_threads_live_threads";
  private static final String LAG = "vertlet_event_loop_lag_seconds";
  private static final String CPU_TIME = "process_cpu_seconds_total";
  private static final String REQUESTS = "rest_client_requests_total";

  @TempDir private Path folder;

  @Test
  @Tag("C62")
  void c62TenThousandPodsOfOneNodeTakeNoThreadAndNoTimerEach(TestCluster cluster) throws Exception {
    AgentProcess agent = start(cluster);
    double threads = agent.metric(THREADS);
    Map<String, Long> empty = agent.heap();
    PodRecorder recorder = cluster.recordPods();

    cluster.pods().createMany("p", "idle0", PODS);
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS));
    double requests = podRequests(agent);

    Period idle = goodPeriod(cluster, agent);

    assertThat(recorder.violations()).isEmpty();
    assertThat(recorder.histories().values())
        .allSatisfy(pod -> assertThat(pod.observations()).hasSizeLessThanOrEqualTo(MOST_VERSIONS));
    assertThat(agent.metric(REQUESTS, "resource=\"pods/status\""))
        .as("status writes")
        .isLessThanOrEqualTo(3.0 * PODS);
    assertThat(podRequests(agent)).as("requests about pods while idle").isEqualTo(requests);
    assertThat(agent.metric(THREADS)).isLessThanOrEqualTo(threads + SLACK);
    Map<String, Long> heap = agent.heap();
    assertThat(count(heap, "dev.vertlet.kubelet.pod.PodState")).as("pods").isEqualTo(PODS);
    for (String each : List.of("java.lang.Thread", "ScheduledFutureTask", "TimerHandler")) {
      assertThat(count(heap, each)).as(each).isBetween(1L, count(empty, each) + SLACK);
    }
    assertThat(idle.late())
        .as("share of turns later than 10 ms; an idle thread's is %s", idle.machineLate)
        .isLessThanOrEqualTo(idle.allowed());
    assertThat(idle.cpu).as("share of one core").isLessThan(CPU);
  }

  /** The first one that is good, or the last. */
  private static Period goodPeriod(TestCluster cluster, AgentProcess agent) {
    Period period = Period.of(cluster, agent);
    for (int i = 1; i < PERIODS && !period.good(); i++) {
      period = Period.of(cluster, agent);
    }
    return period;
  }

  /** Not the watch, which is asked for anew now and then. */
  private static double podRequests(AgentProcess agent) {
    return agent.metric(REQUESTS, "resource=\"pods/status\"");
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
    return cluster.agent(AgentProcess.Setup.of(folder, config, cluster.agentKubeconfig()));
  }

  /** Objects of all classes whose name ends so. */
  private static long count(Map<String, Long> heap, String name) {
    return heap.entrySet().stream()
        .filter(entry -> entry.getKey().endsWith(name))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /**
   * Some time with pods that only are there.
   *
   * @param turns of the loops that were measured
   * @param onTime how many of these were late by no more than 10 ms
   * @param machineLate the share of the turns of an idle thread of this machine that were later
   * @param cpu processor time by time
   */
  private record Period(double turns, double onTime, double machineLate, double cpu) {
    static Period of(TestCluster cluster, AgentProcess agent) {
      MachineLag machine = cluster.closeAfterTest(MachineLag.start());
      long began = System.nanoTime();
      double cpu = agent.metric(CPU_TIME);
      Lag before = Lag.of(agent);
      await()
          .pollInterval(Duration.ofSeconds(5))
          .until(() -> Lag.of(agent).minus(before).turns >= TURNS);
      Lag lag = Lag.of(agent).minus(before);
      double late = 1 - machine.shareWithin(Duration.ofMillis(10));
      double share = (agent.metric(CPU_TIME) - cpu) * 1e9 / (System.nanoTime() - began);
      machine.close();
      Period period = new Period(lag.turns, lag.within10ms, late, share);
      System.out.printf(
          "%d idle pods: %.0f turns of the loops measured, %.2f %% later than 10 ms (an idle"
              + " thread of this machine: %.2f %%), %.2f %% of a core%n",
          PODS, period.turns, 100 * period.late(), 100 * late, 100 * share);
      return period;
    }

    double late() {
      return 1 - onTime / turns;
    }

    /** A loop has a little to do in each turn, so it is held up a little more often. */
    double allowed() {
      return LATE + 2 * machineLate;
    }

    boolean good() {
      return late() <= allowed() && cpu < CPU;
    }
  }

  /** How late all loops together were, since the process started. */
  private record Lag(double turns, double within10ms) {
    static Lag of(AgentProcess agent) {
      return new Lag(agent.metric(LAG + "_count"), agent.metric(LAG + "_bucket", "le=\"0.01\""));
    }

    Lag minus(Lag before) {
      return new Lag(turns - before.turns, within10ms - before.within10ms);
    }
  }
}
