package dev.vertlet.kubelet;

import static dev.vertlet.bus.Addresses.OBJECT_EVENT;
import static dev.vertlet.testing.FakeCluster.find;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.kubelet.podworker.EnvironmentInputs;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.nodes.NodeOptions;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.NodeSpecs;
import io.vertx.core.Context;
import io.vertx.core.internal.VertxInternal;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Eviction from the runtime's figures to what the API server shows of pod and node. */
class EvictionVerticleTest {
  private static final String NODE = "node";
  private static final long MI = 1 << 20;
  private static final Map<String, String> CAPACITY =
      Map.of("cpu", "4", "memory", "1000Mi", "pods", "110");

  private final FakeRuntime runtime = new FakeRuntime(new FakeLoop());
  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private Context shard;
  private List<ObjectEvent> events;

  @BeforeEach
  void start() {
    shard = ((VertxInternal) cluster.vertx()).createEventLoopContext();
    events = cluster.hear(OBJECT_EVENT);
  }

  private KubeletCore servePods() {
    KubeletCore core =
        new KubeletCore(
            runtime,
            KubeletOptions.DEFAULTS,
            new KubeletNodes(node -> List.of("192.0.2.1")),
            EnvironmentInputs.NONE);
    cluster.servePods(shard, core, NODE);
    return core;
  }

  private void serveNode(KubeletCore core) {
    Duration often = Duration.ofMillis(20);
    NodeSpec spec = NodeSpecs.having(NODE, NodeSpecs.CAPACITY);
    cluster.deployOn(
        shard,
        cluster.nodes(
            0,
            new NodeOptions("me", Duration.ofMinutes(5), often, often),
            List.of(spec),
            core.nodes(),
            Clock.systemUTC()));
    cluster.acquire(NODE);
  }

  @Test
  @Tag("C43")
  void c43WhatIsDecidedAboutPodAndNodeIsWritten() {
    cluster.create("nodes", Manifests.node(NODE));
    KubeletCore core = servePods();
    cluster.createPod("greedy", NODE);
    eventually(
        () -> assertThat(cluster.pod("greedy").at("/status/phase").asText()).isEqualTo("Running"));

    runtime.usage =
        new NodeUsage(null, new Supply(50 * MI, 1000 * MI), null, null, null, null, null, Map.of());
    serveNode(core);
    eventually(
        () -> assertThat(cluster.pod("greedy").at("/status/phase").asText()).isEqualTo("Failed"));
    JsonNode status = cluster.pod("greedy").at("/status");
    assertThat(status.at("/reason").asText()).isEqualTo("Evicted");
    JsonNode target = find(status.at("/conditions"), "type", "DisruptionTarget");
    assertThat(target.path("status").asText()).isEqualTo("True");
    assertThat(target.path("reason").asText()).isEqualTo("TerminationByKubelet");
    assertThat(target.path("message").asText())
        .isEqualTo(
            "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. ");
    eventually(
        () -> {
          JsonNode pressure =
              find(cluster.node(NODE).at("/status/conditions"), "type", "MemoryPressure");
          assertThat(pressure.path("status").asText()).isEqualTo("True");
          assertThat(pressure.path("reason").asText()).isEqualTo("KubeletHasInsufficientMemory");
        });
    JsonNode ready = find(cluster.node(NODE).at("/status/conditions"), "type", "Ready");
    assertThat(ready.path("status").asText()).isEqualTo("True");
    assertThat(events)
        .extracting(ObjectEvent::reason)
        .contains("NodeHasInsufficientMemory", "EvictionThresholdMet", "Evicted");
  }
}
