package dev.vertlet.kubelet;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.bus.PodReport;
import dev.vertlet.kubelet.podworker.EnvironmentInputs;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.StatusPatch;
import dev.vertlet.testing.FakeCluster;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the kubelet core says of all its pods, beside what the API server holds. */
class ListingVerticleTest {
  private static final String NODE = "node";

  private final FakeRuntime runtime = new FakeRuntime(new FakeLoop());
  private final KubeletCore core =
      new KubeletCore(
          runtime,
          KubeletOptions.DEFAULTS,
          new KubeletNodes(node -> List.of("192.0.2.1")),
          EnvironmentInputs.NONE);
  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private Context shard;

  @BeforeEach
  void start() {
    shard = ((VertxInternal) cluster.vertx()).createEventLoopContext();
    cluster.create("nodes", Manifests.node(NODE));
    cluster.servePods(shard, core, NODE);
  }

  private Map<String, PodReport> listed() {
    Promise<List<PodReport>> all = Promise.promise();
    shard.runOnContext(v -> core.list().onComplete(all));
    return get(all.future()).stream()
        .collect(Collectors.toMap(report -> report.pod().name(), Function.identity()));
  }

  private String status(String pod, String pointer) {
    return cluster.pod(pod).at("/status" + pointer).asText();
  }

  /** As far as the core goes; the node's own server is not there yet. */
  @Test
  @Tag("C53")
  void c53WhatIsListedOfANodesPodsIsWhatTheServerShows() {
    ObjectNode waiting = Manifests.pod("waiting", NODE);
    ((ObjectNode) waiting.at("/spec/containers/0"))
        .put("image", "example.com/absent:1")
        .put("imagePullPolicy", "Never");
    cluster.create("pods", waiting);
    cluster.createPod("running", NODE);
    cluster.createPod("elsewhere", "another-node");
    ObjectNode done = Manifests.pod("done", NODE);
    done.withObject("/spec").put("restartPolicy", "Never");
    cluster.create("pods", done);
    eventually(() -> assertThat(status("running", "/phase")).isEqualTo("Running"));
    eventually(() -> assertThat(status("done", "/phase")).isEqualTo("Running"));
    PodView view = cluster.view("done");
    shard.runOnContext(v -> runtime.exit(view.ref(), view.spec().containers().get(0).name(), 0));

    eventually(() -> assertThat(status("done", "/phase")).isEqualTo("Succeeded"));
    eventually(
        () ->
            assertThat(status("waiting", "/containerStatuses/0/state/waiting/reason"))
                .isEqualTo("ErrImageNeverPull"));
    eventually(
        () -> {
          Map<String, PodReport> listed = listed();
          assertThat(listed).containsOnlyKeys("running", "waiting", "done");
          listed.forEach(
              (name, report) -> {
                PodView held = cluster.view(name);
                assertThat(report.pod()).isEqualTo(held.ref());
                assertThat(StatusPatch.needed(held.status(), report.status())).isFalse();
              });
        });
  }
}
