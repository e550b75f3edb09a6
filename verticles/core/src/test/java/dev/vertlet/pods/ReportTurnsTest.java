package dev.vertlet.pods;

import static dev.vertlet.bus.Addresses.POD_REPORTED;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.pod.ProviderContext;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.QuietProvider;
import dev.vertlet.testing.TestPods;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Turns of the loop between a provider's report and the status writer, which decide latency. */
class ReportTurnsTest {
  private static final String NODE = "node";

  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private final Context loop = cluster.vertx().getOrCreateContext();
  private final QuietProvider provider = new QuietProvider(true);
  private final List<List<PodReport>> batches = new CopyOnWriteArrayList<>();

  private void serve() {
    Promise<Void> listening = Promise.promise();
    loop.runOnContext(
        v ->
            cluster
                .bus()
                .consume(POD_REPORTED.shard(0), batches::add)
                .completion()
                .onComplete(listening));
    get(listening.future());
    cluster.deployOn(loop, cluster.podSync(NODE, provider, Clock.systemUTC(), System::nanoTime));
    cluster.watchPods(NODE);
    cluster.acquire(NODE);
    cluster.createPod("a", NODE);
    eventually(() -> assertThat(batches).as("the node is served").hasSize(1));
  }

  private static PodReport report(String name) {
    PodRef pod = new PodRef("default", name, "uid-" + name);
    return new PodReport(pod, NODE, TestPods.status(PodPhase.RUNNING), false);
  }

  @Test
  void aReportReachesTheStatusWriterInTheNextTurn() {
    serve();
    List<Integer> delivered = new CopyOnWriteArrayList<>();
    loop.runOnContext(
        v -> {
          provider.context().report(report("b"));
          delivered.add(batches.size());
          loop.runOnContext(next -> delivered.add(batches.size()));
        });
    eventually(() -> assertThat(delivered).containsExactly(1, 2));
  }

  @Test
  void theReportsOfOneTurnCostOneTurn() {
    serve();
    List<PodReport> reports = List.of(report("b"), report("c"), report("b"));
    loop.runOnContext(
        v -> {
          ProviderContext context = provider.context();
          reports.forEach(context::report);
        });
    eventually(() -> assertThat(batches).hasSize(2).last().isEqualTo(reports));
  }
}
