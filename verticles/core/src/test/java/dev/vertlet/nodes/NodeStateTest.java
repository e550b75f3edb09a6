package dev.vertlet.nodes;

import static dev.vertlet.testing.NodeSpecs.CAPACITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.model.node.NodeDecoder;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.nodes.NodeState.Step;
import dev.vertlet.provider.node.NodeProvider.NodeHealth;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.testing.NodeSpecs;
import dev.vertlet.testing.Scenario;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeStateTest {
  private static final NodeView BARE =
      NodeDecoder.decode(Buffer.buffer("{\"metadata\":{\"name\":\"n\"}}"));

  private final ManualClock clock = new ManualClock();
  private final NodeSpec spec = having(CAPACITY);
  private final NodeState state =
      new NodeState(
          new NodeObject(spec, "me"),
          NodeHealth.HEALTHY,
          Duration.ofMinutes(5),
          clock,
          new Random(1));

  /**
   * Words with a capital are the next step, after so many milliseconds; the others are what
   * happens. virtual-kubelet UpdateNodeStatus: 422 is also what a server says of another UID.
   */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          writes nothing without the lease | Idle
          reads, then creates, an absent node | served Read absent Create Idle
          adopts an unchanged node without any write | registered served Read found Wait
          writes a heartbeat between half and one and a half report periods | registered Wait:150000-450000 PatchStatus
          a node deleted behind our back is read and made again | registered gone:uid-1 Read absent Create
          a node deleted while a request is answered is read again | registered minutes:8 PatchStatus gone:uid-1 written Read found Wait
          the farewell of an older object changes nothing | registered gone:another Wait
          retries with back-off and reads again after a conflict | served Read fails:SERVER_ERROR Wait:100-120 Read bare PatchMetadata fails:CONFLICT minutes:1 Read
          what the server refuses is tried again slowly | served Read fails:FORBIDDEN Wait:30000-30000
          retries soon after a refusal of the credentials | served Read fails:UNAUTHORIZED Wait:100-120 Read fails:UNAUTHORIZED Wait:200-240
          a server that works again ends the back-off | served Read fails:SERVER_ERROR Wait fails:SERVER_ERROR serverReturned Read
          a server that works again refuses what it has refused | served Read fails:FORBIDDEN serverReturned Wait:30000-30000
          a refused status is not written before it is known whose it is | registered sick PatchStatus fails:INVALID minutes:1 Read
          a backdated renewal makes one heartbeat due now | registered Wait beat PatchStatus beat Idle written Wait:150000-450000
          a heartbeat that fails is tried again | registered beat PatchStatus fails:SERVER_ERROR Wait:100-120 PatchStatus
          a heartbeat is not due without the lease | beat Idle
          the same description again is not written | registered described Wait
          """)
  @Tag("UpdateNodeStatus")
  void takesOneStepAfterTheOther(String behaviour, String line) {
    Scenario.play(line, this::step);
  }

  private void step(String word, String argument) {
    switch (word) {
      case "served" -> state.served(true);
      case "registered" -> register(1);
      case "absent" -> state.notFound();
      case "gone" -> state.gone(argument);
      case "found" -> state.answered(stored(spec, 1), false);
      case "written" -> state.answered(stored(spec, 1), true);
      case "bare" -> state.answered(BARE, false);
      case "described" -> state.described(having(CAPACITY));
      case "sick" -> state.health(new NodeHealth(false, "down", List.of()));
      case "fails" -> state.failed(failure(Kind.valueOf(argument)));
      case "beat" -> state.beatNow();
      case "serverReturned" -> state.serverReturned();
      case "minutes" -> clock.advance(Duration.ofMinutes(Long.parseLong(argument)));
      default -> wants(word, argument);
    }
  }

  private void wants(String step, String millis) {
    Step next = state.next();
    assertThat(next.getClass().getSimpleName()).isEqualTo(step);
    if (next instanceof Step.Wait wait) {
      if (!millis.isEmpty()) {
        String[] limits = millis.split("-");
        assertThat(wait.delay().toMillis())
            .isBetween(Long.valueOf(limits[0]), Long.valueOf(limits[1]));
      }
      clock.advance(wait.delay());
    }
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
  void doesNotFightAtFullSpeedWithSomebodyWhoTakesAwayWhatItWrites() {
    state.served(true);
    state.next();
    int writes = 0;
    state.answered(BARE, false);
    while (state.next() instanceof Step.PatchMetadata && writes < 100) {
      writes++;
      state.answered(BARE, false);
    }
    assertThat(writes).isLessThan(10);
    assertThat(state.next()).isInstanceOf(Step.Wait.class);
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

  /** The answer comes without them, as they were not asked for. */
  @Test
  void featuresThatBecomeKnownWhileAStatusIsWrittenAreWrittenNext() {
    register(1);
    state.health(new NodeHealth(false, "down", List.of()));
    assertThat(state.next()).isInstanceOf(Step.PatchStatus.class);

    state.reachedAt(SERVED);
    state.answered(reached(0, List.of(), 2), true);

    assertThat(status(state.next()).getJsonArray("declaredFeatures"))
        .containsExactly("ExtendWebSocketsToKubelet");
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
