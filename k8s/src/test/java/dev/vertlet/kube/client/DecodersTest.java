package dev.vertlet.kube.client;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.Manifests;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.watch.Reflector;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.model.KubeObject;
import dev.vertlet.model.ObjectDecoder;
import dev.vertlet.model.ObjectMeta;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.NodeDecoder;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The client together with the decoders it is used with. */
class DecodersTest {
  @AutoClose private final ApiLab lab = ApiLab.start();

  @Test
  void nodesArriveWithWhatDecisionsNeed() throws Exception {
    Waits.get(
        lab.server
            .objects()
            .create(
                "nodes",
                """
                {"metadata": {"name": "n1", "labels": {"zone": "a"}, "annotations": {"k": "v"}},
                 "spec": {"taints": [{"key": "t", "value": "1", "effect": "NoSchedule"}]},
                 "status": {"capacity": {"cpu": "4", "pods": "110"},
                   "conditions": [{"type": "Ready", "status": "True", "reason": "r", "message": "m",
                     "lastHeartbeatTime": "2026-01-01T00:00:00Z",
                     "lastTransitionTime": "2026-01-01T00:00:00Z"}],
                   "addresses": [{"type": "InternalIP", "address": "10.0.0.1"}],
                   "nodeInfo": {"kubeletVersion": "v1.36.3"},
                   "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}}}}\
                """));
    Collector<NodeView> nodes = new Collector<>();

    follow(lab.client(), "nodes", KubePath.nodes(), new NodeDecoder(), nodes);
    NodeView node = nodes.get("n1");
    assertThat(node.labels()).containsEntry("zone", "a");
    assertThat(node.annotations()).containsEntry("k", "v");
    assertThat(node.taints()).contains(new TaintView("t", "1", "NoSchedule"));
    assertThat(node.status().capacity()).containsEntry("cpu", "4");
    assertThat(node.status().condition("Ready"))
        .extracting(NodeConditionView::status)
        .isEqualTo("True");
    assertThat(node.status().addresses()).hasSize(1);
    assertThat(node.status().kubeletPort()).isEqualTo(10250);
    Waits.get(lab.server.objects().deleteNow("nodes", "", "n1"));
    eventually(() -> assertThat(nodes.objects).isEmpty());
  }

  @Test
  void nodesAreListedWhereListsAreNotStreamed() throws Exception {
    lab.server
        .faults()
        .on("watch", "nodes")
        .where(r -> !r.parameter("sendInitialEvents").isEmpty())
        .respond(400, "BadRequest");
    Waits.get(lab.server.objects().create("nodes", Manifests.node("n1")));
    Waits.get(lab.server.objects().create("nodes", Manifests.node("n2")));
    Collector<NodeView> nodes = new Collector<>();

    follow(lab.client(), "nodes", KubePath.nodes(), new NodeDecoder(), nodes);
    lab.server.faults().on("watch", "nodes").once().expireEvent();
    Waits.get(lab.server.objects().create("nodes", Manifests.node("n3")));
    eventually(() -> assertThat(nodes.objects).containsOnlyKeys("n1", "n2", "n3"));
  }

  @Test
  void podsComeInJsonWhereTheServerKnowsNoProtobuf() throws Exception {
    Waits.get(lab.server.objects().create("pods", Manifests.pod("p", "n1")));
    Collector<PodView> pods = new Collector<>();

    follow(lab.client(), "pods", KubePath.pods(), new PodDecoder(), pods);
    assertThat(pods.get("p").namespace()).isEqualTo("default");
  }

  @Test
  void aPatchAnswersWithTheNewVersion() throws Exception {
    Waits.get(lab.server.objects().create("pods", Manifests.pod("p", "n1")));
    KubeRequest patch =
        KubeRequest.patch(
                Lane.POD_STATUS,
                KubePath.podStatus("default", "p"),
                MediaType.STRATEGIC_MERGE_PATCH,
                Buffer.buffer("{\"status\":{\"phase\":\"Running\"}}"))
            .metadataOnly();

    ObjectMeta meta = ObjectMeta.decode(Waits.get(lab.client().send(patch)).body());
    var stored = Waits.get(lab.server.objects().get("pods", "default", "p"));
    assertThat(meta)
        .isEqualTo(
            new ObjectMeta(
                stored.path("metadata").path("uid").asText(),
                stored.path("metadata").path("resourceVersion").asLong()));
  }

  private static <T extends KubeObject> void follow(
      KubeClient client,
      String name,
      KubePath path,
      ObjectDecoder<T> decoder,
      ReflectorListener<T> listener)
      throws Exception {
    Waits.get(
        new Reflector<>(
                client,
                ListWatch.of(name, path, decoder),
                listener,
                Reflector.DEFAULT_BACKOFF,
                new Random(1))
            .start());
  }

  /** Written by an event loop, read by the test. */
  private static final class Collector<T extends KubeObject> implements ReflectorListener<T> {
    private final Map<String, T> objects = new ConcurrentHashMap<>();

    T get(String name) {
      return java.util.Objects.requireNonNull(objects.get(name), name);
    }

    @Override
    public void upserted(T object) {
      objects.put(object.name(), object);
    }

    @Override
    public void deleted(Tombstone object) {
      objects.remove(object.name());
    }

    @Override
    public void synced() {}
  }
}
