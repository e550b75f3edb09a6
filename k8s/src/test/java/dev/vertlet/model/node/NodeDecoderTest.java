package dev.vertlet.model.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.DecodeException;
import dev.vertlet.model.ListPage;
import dev.vertlet.model.WatchEvent;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeDecoderTest {
  private static final String NODE =
      """
      {"metadata": {"name": "n", "uid": "u", "resourceVersion": "7", "labels": {"a": "1"},
         "annotations": {"b": "2"}},
       "spec": {"taints": [{"key": "k", "effect": "NoSchedule"}]},
       "status": {"capacity": {"cpu": "4"}, "allocatable": {"cpu": "3"},
         "conditions": [{"type": "Ready", "status": "True", "reason": "r", "message": "m",
           "lastHeartbeatTime": "2026-01-01T00:00:01Z", "lastTransitionTime": null}],
         "addresses": [{"type": "InternalIP", "address": "10.0.0.1"}],
         "nodeInfo": {"kubeletVersion": "v1", "swap": {"capacity": 1}},
         "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}}}}
      """;

  private final NodeDecoder decoder = new NodeDecoder();

  @Test
  void readsWhatDecisionsNeed() {
    NodeView node = NodeDecoder.decode(Buffer.buffer(NODE));

    assertThat(node.name()).isEqualTo("n");
    assertThat(node.namespace()).isEmpty();
    assertThat(node.uid()).isEqualTo("u");
    assertThat(node.resourceVersion()).isEqualTo(7);
    assertThat(node.deleting()).isFalse();
    assertThat(node.labels()).containsEntry("a", "1");
    assertThat(node.annotations()).containsEntry("b", "2");
    assertThat(node.taints()).containsExactly(new TaintView("k", "", "NoSchedule"));
    NodeStatusView status = node.status();
    assertThat(status.capacity()).containsEntry("cpu", "4");
    assertThat(status.allocatable()).containsEntry("cpu", "3");
    assertThat(status.addresses()).containsExactly(new NodeAddressView("InternalIP", "10.0.0.1"));
    assertThat(status.nodeInfo()).containsOnlyKeys("kubeletVersion");
    assertThat(status.kubeletPort()).isEqualTo(10250);
    assertThat(status.condition("Ready"))
        .isEqualTo(
            new NodeConditionView(
                "Ready", "True", "r", "m", Instant.parse("2026-01-01T00:00:01Z"), null));
    assertThat(status.condition("Other")).isNull();
    assertThat(status.withConditions(List.of()).conditions()).isEmpty();
  }

  @Test
  void aNodeOfMereMetadataHasAnEmptyStatus() {
    NodeView node =
        NodeDecoder.decode(
            Buffer.buffer(
                "{\"metadata\":{\"name\":\"n\",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"}}"));

    assertThat(node.deleting()).isTrue();
    assertThat(node.status().conditions()).isEmpty();
    assertThat(node.status().kubeletPort()).isZero();
  }

  @Test
  void readsAListAndItsContinueToken() {
    ListPage<NodeView> page =
        decoder.decodeList(
            "application/json",
            Buffer.buffer(
                "{\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"t\"},\"items\":["
                    + NODE
                    + "]}"));

    assertThat(page.resourceVersion()).isEqualTo(9);
    assertThat(page.continueToken()).isEqualTo("t");
    assertThat(page.items()).extracting(NodeView::name).containsExactly("n");
  }

  @Test
  void readsEachKindOfWatchEvent() {
    assertThat(event("ADDED", NODE)).isInstanceOf(WatchEvent.Upsert.class);
    assertThat(event("MODIFIED", NODE)).isInstanceOf(WatchEvent.Upsert.class);
    assertThat(event("DELETED", NODE)).isInstanceOf(WatchEvent.Deleted.class);
    assertThat(event("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"12\"}}"))
        .isEqualTo(new WatchEvent.Bookmark<>(12, false));
    assertThat(
            event(
                "BOOKMARK",
                "{\"metadata\":{\"resourceVersion\":\"12\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}"))
        .isEqualTo(new WatchEvent.Bookmark<>(12, true));
    assertThat(event("ERROR", "{\"code\":410,\"reason\":\"Expired\",\"message\":\"old\"}"))
        .isEqualTo(new WatchEvent.Failure<>(410, "Expired", "old", null));
    assertThat(event("ERROR", "{\"code\":429,\"details\":{\"retryAfterSeconds\":3}}"))
        .isEqualTo(new WatchEvent.Failure<>(429, "", "", Duration.ofSeconds(3)));
  }

  @Test
  void saysWhatIsWrongWithoutQuotingIt() {
    assertThatThrownBy(() -> NodeDecoder.decode(Buffer.buffer("{secret")))
        .isInstanceOf(DecodeException.class)
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> NodeDecoder.decode(Buffer.buffer("{}")))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("metadata.name");
    assertThatThrownBy(() -> decoder.decodeList("application/json", Buffer.buffer("{}")))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("items");
    assertThatThrownBy(() -> event("GREETING", "{}"))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("unknown watch event type");
  }

  @Test
  void asksForJsonAlone() {
    assertThat(decoder.acceptList(true)).isEqualTo("application/json");
    assertThat(decoder.acceptWatch(true)).doesNotContain("protobuf");
  }

  @Test
  void conditionsAreTheSameStateWhateverTheirTimes() {
    NodeConditionView one = new NodeConditionView("A", "True", "r", "m", Instant.EPOCH, null);
    assertThat(one.sameState(new NodeConditionView("A", "True", "r", "m", null, Instant.MAX)))
        .isTrue();
    assertThat(one.sameState(new NodeConditionView("B", "True", "r", "m", null, null))).isFalse();
    assertThat(one.sameState(new NodeConditionView("A", "False", "r", "m", null, null))).isFalse();
    assertThat(one.sameState(new NodeConditionView("A", "True", "x", "m", null, null))).isFalse();
    assertThat(one.sameState(new NodeConditionView("A", "True", "r", "x", null, null))).isFalse();
  }

  @Test
  void taintsAreTheSameByKeyAndEffect() {
    TaintView taint = new TaintView("k", "v", "NoSchedule");
    assertThat(taint.sameAs(new TaintView("k", "other", "NoSchedule"))).isTrue();
    assertThat(taint.sameAs(new TaintView("k", "v", "NoExecute"))).isFalse();
    assertThat(taint.sameAs(new TaintView("x", "v", "NoSchedule"))).isFalse();
  }

  private WatchEvent<NodeView> event(String type, String object) {
    return decoder.decodeEvent(
        "application/json", Buffer.buffer("{\"type\":\"" + type + "\",\"object\":" + object + "}"));
  }
}
