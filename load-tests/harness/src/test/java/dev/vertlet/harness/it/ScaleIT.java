package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.fault.FaultProxy;
import dev.vertlet.harness.fault.TrafficLog;
import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Measuring;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many nodes in one process, seen from the wire. */
@Measuring
@ClusterTest
@FullRing
class ScaleIT {
  private static final int NODES = 100;
  private static final int PODS_PER_NODE = 50;

  /** Far from one for each node. */
  private static final long MOST_WATCHES = 10;

  @TempDir private Path folder;

  @Test
  @Tag("2.4-15")
  void ahundredNodesWithFiftyPodsEachTakeOnePodWatchAndKeepTheirLeases(TestCluster cluster)
      throws Exception {
    Vertx vertx = Vertx.vertx();
    cluster.closeAfterTest(() -> get(vertx.close()));
    FaultProxy proxy =
        get(FaultProxy.start(vertx, cluster.agentKubeconfig(), folder, new Random(1)));
    cluster.agent(AgentProcess.Setup.ofNodes(folder, "scale", NODES, proxy.kubeconfig()));
    PodRecorder recorder = cluster.recordPods();

    cluster.pods().createMany("p", NODES * PODS_PER_NODE, i -> "scale" + i % NODES, pod -> pod);

    eventually(() -> assertThat(recorder.ready()).hasSize(NODES * PODS_PER_NODE));
    assertThat(recorder.violations()).isEmpty();
    // one for all nodes; an API server ends the watch of a reader it finds slow, which resumes it
    assertThat(proxy.traffic().count("watch", "pods")).isBetween(1L, MOST_WATCHES);
    assertThat(longestLeaseGap(proxy.traffic())).isLessThanOrEqualTo(Duration.ofSeconds(12));
  }

  /**
   * Over all nodes, the longest time between two writes of a lease. A creation does not name its
   * lease on the wire; the read that found it missing, an instant before, stands for it.
   */
  private static Duration longestLeaseGap(TrafficLog traffic) {
    List<TrafficLog.Entry> requests =
        traffic.requests("*", "leases").stream()
            .filter(entry -> !entry.request().name().isEmpty())
            .toList();
    Map<String, Long> last = new HashMap<>();
    long longest = 0;
    for (TrafficLog.Entry entry : requests) {
      Long before = last.put(entry.request().name(), entry.nanoTime());
      longest = before == null ? longest : Math.max(longest, entry.nanoTime() - before);
    }
    assertThat(last).hasSize(NODES);
    assertThat(traffic.count("create", "leases")).isEqualTo(NODES);
    // one that was not renewed since counts, too
    long end = System.nanoTime();
    for (long written : last.values()) {
      longest = Math.max(longest, end - written);
    }
    return Duration.ofNanos(longest);
  }
}
