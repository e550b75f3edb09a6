package dev.vertlet.nodes;

import static dev.vertlet.testing.NodeSpecs.CAPACITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.model.NodeDecoder;
import dev.vertlet.model.NodeView;
import dev.vertlet.nodes.NodeState.Step;
import dev.vertlet.provider.NodeProvider.NodeHealth;
import dev.vertlet.provider.NodeSpec;
import dev.vertlet.testing.NodeSpecs;
import dev.vertlet.testsupport.ManualClock;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NodeStateTest {
  private final ManualClock clock = new ManualClock();
  private final NodeSpec spec = having(CAPACITY);
  private final NodeState state =
      new NodeState(
          new NodeObject(spec, "me"),
          NodeHealth.HEALTHY,
          Duration.ofMinutes(5),
          clock,
          new Random(1));

  @Test
  void writesNothingWithoutTheLease() {
    assertThat(state.next()).isInstanceOf(Step.Idle.class);
  }

  @Test
  void readsThenCreatesAnAbsentNode() {
    state.served(true);
    assertThat(state.next()).isInstanceOf(Step.Read.class);
    state.notFound();
    assertThat(state.next()).isInstanceOf(Step.Create.class);
    assertThat(state.next()).isInstanceOf(Step.Idle.class);
  }

  @Test
  void adoptsAnUnchangedNodeWithoutAnyWrite() {
    NodeView node = register(1);
    state.served(true);
    assertThat(state.next()).isInstanceOf(Step.Read.class);
    state.answered(node, false);
    assertThat(state.next()).isInstanceOf(Step.Wait.class);
  }

  @Test
  void writesAHeartbeatBetweenHalfAndOneAndAHalfReportPeriods() {
    register(1);
    Step.Wait wait = (Step.Wait) state.next();
    assertThat(wait.delay()).isBetween(Duration.ofSeconds(150), Duration.ofSeconds(450));
    clock.advance(wait.delay());
    assertThat(state.next()).isInstanceOf(Step.PatchStatus.class);
  }

  @Test
  void aNodeDeletedBehindOurBackIsReadAndMadeAgain() {
    NodeView node = register(1);
    state.gone(node.uid());
    assertThat(state.next()).isInstanceOf(Step.Read.class);
    state.notFound();
    assertThat(state.next()).isInstanceOf(Step.Create.class);
  }

  @Test
  void aNodeDeletedWhileARequestIsAnsweredIsReadAgain() {
    NodeView node = register(1);
    clock.advance(Duration.ofMinutes(8));
    assertThat(state.next()).isInstanceOf(Step.PatchStatus.class);
    state.gone(node.uid());
    state.answered(node, true);
    assertThat(state.next()).isInstanceOf(Step.Read.class);
    state.answered(node, false);
    assertThat(state.next()).isInstanceOf(Step.Wait.class);
  }

  @Test
  void theFarewellOfAnOlderObjectChangesNothing() {
    register(1);
    state.gone("another uid");
    assertThat(state.next()).isInstanceOf(Step.Wait.class);
  }

  @Test
  void putsRightWhatTheControlPlaneMadeOfReadyWhileTheAgentWasAway() {
    NodeView node = register(1);
    JsonObject json = stored(2);
    json.getJsonObject("status")
        .getJsonArray("conditions")
        .forEach(c -> ((JsonObject) c).put("status", "Unknown"));
    state.observed(NodeDecoder.decode(json.toBuffer()));
    assertThat(state.ready()).isEqualTo("Unknown");
    assertThat(state.next()).isInstanceOf(Step.PatchStatus.class);
    assertThat(node.uid()).isEqualTo(state.uid());
  }

  @Test
  void ignoresAnOlderStateOfTheWatch() {
    register(5);
    JsonObject json = stored(4);
    json.getJsonObject("status").remove("conditions");
    state.observed(NodeDecoder.decode(json.toBuffer()));
    assertThat(state.ready()).isEqualTo("True");
  }

  @Test
  void healthChangesAreWrittenAtOnce() {
    register(1);
    state.health(new NodeHealth(false, "down", List.of()));
    Step.PatchStatus patch = (Step.PatchStatus) state.next();
    assertThat(patch.body().toString()).contains("KubeletNotReady");
  }

  @Test
  void retriesWithBackoffAndReadsAgainAfterAConflict() {
    state.served(true);
    state.next();
    state.failed(failure(Kind.SERVER_ERROR));
    Step.Wait wait = (Step.Wait) state.next();
    assertThat(wait.delay()).isBetween(Duration.ofMillis(100), Duration.ofMillis(120));
    clock.advance(wait.delay());
    assertThat(state.next()).isInstanceOf(Step.Read.class);
    state.answered(NodeDecoder.decode(Buffer.buffer("{\"metadata\":{\"name\":\"n\"}}")), false);
    assertThat(state.next()).isInstanceOf(Step.PatchMetadata.class);
    state.failed(failure(Kind.CONFLICT));
    clock.advance(Duration.ofSeconds(1));
    assertThat(state.next()).isInstanceOf(Step.Read.class);
  }

  @Test
  void doesNotFightAtFullSpeedWithSomebodyWhoTakesAwayWhatItWrites() {
    state.served(true);
    state.next();
    NodeView bare = NodeDecoder.decode(Buffer.buffer("{\"metadata\":{\"name\":\"n\"}}"));
    int writes = 0;
    state.answered(bare, false);
    while (state.next() instanceof Step.PatchMetadata && writes < 100) {
      writes++;
      state.answered(bare, false);
    }
    assertThat(writes).isLessThan(10);
    assertThat(state.next()).isInstanceOf(Step.Wait.class);
  }

  @Test
  void whatTheServerRefusesIsTriedAgainSlowly() {
    state.served(true);
    state.next();
    state.failed(failure(Kind.FORBIDDEN));
    assertThat(((Step.Wait) state.next()).delay()).isEqualTo(Duration.ofSeconds(30));
  }

  /** virtual-kubelet UpdateNodeStatus: 422 is also what a server says of another UID. */
  @Test
  @Tag("UpdateNodeStatus")
  void aRefusedStatusIsNotWrittenBeforeItIsKnownWhoseItIs() {
    register(1);
    state.health(new NodeHealth(false, "down", List.of()));
    assertThat(state.next()).isInstanceOf(Step.PatchStatus.class);
    state.failed(failure(Kind.INVALID));
    clock.advance(Duration.ofSeconds(31));
    assertThat(state.next()).isInstanceOf(Step.Read.class);
  }

  @Test
  @Tag("C49")
  void whatTheNodeHasIsWrittenAtOnceAndOfWhatItLostThereIsNone() {
    register(1);
    state.described(having(Map.of("cpu", "8", "memory", "8Gi", "pods", "110", "gpu", "1")));
    assertThat(capacity(state.next())).containsEntry("cpu", "8").containsEntry("gpu", "1");
    state.answered(stored(having(Map.of("cpu", "8", "gpu", "1")), 2), true);
    state.described(spec);
    assertThat(capacity(state.next())).containsEntry("cpu", "4").containsEntry("gpu", "0");
  }

  @Test
  void theSameDescriptionAgainIsNotWritten() {
    register(1);
    state.described(having(CAPACITY));
    assertThat(state.next()).isInstanceOf(Step.Wait.class);
  }

  private static NodeSpec having(Map<String, String> resources) {
    return NodeSpecs.having("n", resources);
  }

  private static final KubeletEndpoint SERVED =
      new KubeletEndpoint(10_250, List.of("ExtendWebSocketsToKubelet"));

  private static JsonObject status(Step step) {
    return ((Step.PatchStatus) step).body().toJsonObject().getJsonObject("status");
  }

  private NodeView reached(int port, List<String> features, long version) {
    JsonObject json = stored(version);
    json.getJsonObject("status")
        .put("declaredFeatures", new JsonArray(features))
        .getJsonObject("daemonEndpoints")
        .getJsonObject("kubeletEndpoint")
        .put("Port", port);
    return NodeDecoder.decode(json.toBuffer());
  }

  @Test
  void aPortIsWrittenWhenItIsKnownAndWhenItIsAnotherOne() {
    register(1);
    state.reachedAt(SERVED);
    JsonObject first = status(state.next());
    assertThat(first.getJsonObject("daemonEndpoints"))
        .isEqualTo(new JsonObject("{\"kubeletEndpoint\": {\"Port\": 10250}}"));
    assertThat(first.getJsonArray("declaredFeatures")).containsExactly("ExtendWebSocketsToKubelet");
    state.answered(reached(10_250, SERVED.declaredFeatures(), 2), true);
    assertThat(state.next()).isInstanceOf(Step.Wait.class);

    state.reachedAt(new KubeletEndpoint(10_251, SERVED.declaredFeatures()));
    assertThat(status(state.next()).getJsonObject("daemonEndpoints").encode()).contains("10251");
  }

  @Test
  void beforeThePortIsKnownTheOneOfBeforeStays() {
    state.served(true);
    state.next();
    state.answered(reached(10_260, SERVED.declaredFeatures(), 1), false);
    assertThat(state.next()).isInstanceOf(Step.Wait.class);
  }

  @Test
  void aKubeletThatIsServedNoLongerTakesItsWordBack() {
    state.reachedAt(KubeletEndpoint.NONE);
    state.served(true);
    state.next();
    state.answered(reached(10_250, SERVED.declaredFeatures(), 1), false);

    JsonObject status = status(state.next());
    assertThat(status.containsKey("declaredFeatures")).isTrue();
    assertThat(status.getValue("declaredFeatures")).isNull();
    state.answered(reached(0, List.of(), 2), true);
    assertThat(state.next()).isInstanceOf(Step.Wait.class);
  }

  @Test
  void aServerThatKeepsNoFeaturesIsNotWrittenToAgain() {
    register(1);
    state.reachedAt(SERVED);
    assertThat(state.next()).isInstanceOf(Step.PatchStatus.class);
    state.answered(reached(10_250, List.of(), 2), true);
    assertThat(state.next()).isInstanceOf(Step.Wait.class);
  }

  private static Map<String, Object> capacity(Step step) {
    JsonObject status = ((Step.PatchStatus) step).body().toJsonObject().getJsonObject("status");
    assertThat(status.getJsonObject("allocatable")).isEqualTo(status.getJsonObject("capacity"));
    return status.getJsonObject("capacity").getMap();
  }

  private NodeView register(long version) {
    state.served(true);
    state.next();
    state.notFound();
    state.next();
    NodeView node = NodeDecoder.decode(stored(version).toBuffer());
    state.answered(node, true);
    return node;
  }

  private JsonObject stored(long version) {
    return json(spec, version);
  }

  private NodeView stored(NodeSpec described, long version) {
    return NodeDecoder.decode(json(described, version).toBuffer());
  }

  private JsonObject json(NodeSpec described, long version) {
    Buffer body =
        new NodeObject(described, "me")
            .create(NodeStatuses.of(described, NodeHealth.HEALTHY), clock.instant());
    JsonObject json = body.toJsonObject();
    json.getJsonObject("metadata").put("uid", "uid-1").put("resourceVersion", "" + version);
    return json;
  }

  private static KubeException failure(Kind kind) {
    return new KubeException(kind, 0, "test", null, null);
  }
}
