package dev.vertlet.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.node.NodeDecoder;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.node.NodeProvider.NodeHealth;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.testsupport.ManualClock;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes that others made. */
class AdoptedNodeTest {
  private static final NodeSpec DEFAULTS =
      new NodeSpec(
          "n",
          Map.of("label", "of ours"),
          Map.of("annotation", "of ours"),
          List.of(),
          Map.of("cpu", "16", "memory", "64Gi", "pods", "250"),
          Map.of("cpu", "15", "memory", "60Gi", "pods", "250"),
          List.of(new NodeAddressView("InternalIP", "192.0.2.1")),
          Map.of("kubeletVersion", "v1-vertlet", "osImage", "Debian"),
          "100.64.1.0/24");

  private final ManualClock clock = new ManualClock();
  private final NodeState state =
      new NodeState(
          NodeObject.adopted(DEFAULTS, false),
          NodeHealth.HEALTHY,
          Duration.ofMinutes(5),
          clock,
          new Random(1));

  private static NodeView node(String status) {
    return NodeDecoder.decode(
        Buffer.buffer(
            """
            {"metadata": {"name": "n", "uid": "u", "resourceVersion": "7"}, "status": %s}
            """
                .formatted(status)));
  }

  private JsonObject patch(String status) {
    state.served(true);
    assertThat(state.next()).isInstanceOf(NodeState.Step.Read.class);
    state.answered(node(status), false);
    NodeState.Step step = state.next();
    assertThat(step).isInstanceOf(NodeState.Step.PatchStatus.class);
    return ((NodeState.Step.PatchStatus) step).body().toJsonObject();
  }

  @Test
  @Tag("K04")
  void aBareNodeGetsWhatItLacksAndNothingBeyondItsStatus() {
    JsonObject patch = patch("{}");

    assertThat(patch.fieldNames()).containsExactlyInAnyOrder("metadata", "status");
    assertThat(patch.getJsonObject("metadata")).isEqualTo(new JsonObject().put("uid", "u"));
    JsonObject status = patch.getJsonObject("status");
    assertThat(status.getJsonObject("capacity").getString("cpu")).isEqualTo("16");
    assertThat(status.getJsonObject("allocatable").getString("cpu")).isEqualTo("15");
    assertThat(status.getJsonObject("nodeInfo").getString("osImage")).isEqualTo("Debian");
    assertThat(status.getJsonArray("addresses").encode()).contains("192.0.2.1");
    assertThat(status.getJsonArray("conditions").encode()).contains("KubeletReady");
    assertThat(status.containsKey("daemonEndpoints")).isFalse();
  }

  @Test
  @Tag("K03")
  void whatTheNodeHasIsNotWrittenNotEvenAsItIs() {
    JsonObject status =
        patch(
                """
                {"capacity": {"cpu": "4", "nvidia.com/gpu": "8"}, "allocatable": {"cpu": "3"},
                 "addresses": [{"type": "InternalIP", "address": "10.1.2.3"}],
                 "nodeInfo": {"kubeletVersion": "fake", "osImage": ""}}
                """)
            .getJsonObject("status");

    assertThat(status.getJsonObject("capacity").fieldNames())
        .containsExactlyInAnyOrder("memory", "pods");
    assertThat(status.getJsonObject("allocatable").fieldNames())
        .containsExactlyInAnyOrder("memory", "pods");
    assertThat(status.getJsonObject("nodeInfo").fieldNames()).containsExactly("osImage");
    assertThat(status.containsKey("addresses")).isFalse();
  }

  @Test
  @Tag("K10")
  void whoEditsTheStatusIsNotContradicted() {
    patch("{}");
    NodeView written =
        node(
            """
            {"capacity": {"cpu": "16", "memory": "64Gi", "pods": "250"},
             "allocatable": {"cpu": "15", "memory": "60Gi", "pods": "250"},
             "addresses": [{"type": "InternalIP", "address": "192.0.2.1"}],
             "nodeInfo": {"kubeletVersion": "v9", "osImage": "Debian"},
             "conditions": [
               {"type": "MemoryPressure", "status": "False", "reason": "KubeletHasSufficientMemory",
                "message": "kubelet has sufficient memory available"},
               {"type": "DiskPressure", "status": "False", "reason": "KubeletHasNoDiskPressure",
                "message": "kubelet has no disk pressure"},
               {"type": "PIDPressure", "status": "False", "reason": "KubeletHasSufficientPID",
                "message": "kubelet has sufficient PID available"},
               {"type": "NetworkUnavailable", "status": "False", "reason": "PodNetworkReady",
                "message": "the node gives its pods their addresses"},
               {"type": "Ready", "status": "True", "reason": "KubeletReady",
                "message": "kubelet is posting ready status"}]}
            """);
    state.answered(written, true);

    assertThat(state.next()).isInstanceOf(NodeState.Step.Wait.class);
  }

  @Test
  void theKubeletIsReachedWhereTheNodeSaysUntilItIsReachedHere() {
    String foreign = "{\"daemonEndpoints\": {\"kubeletEndpoint\": {\"Port\": 10250}}}";
    state.reachedAt(KubeletEndpoint.NONE);
    assertThat(patch(foreign).getJsonObject("status").containsKey("daemonEndpoints")).isFalse();

    state.answered(node(foreign), true);
    state.reachedAt(new KubeletEndpoint(10_300, List.of()));
    NodeState.Step step = state.next();
    assertThat(((NodeState.Step.PatchStatus) step).body().toString()).contains("10300");
  }

  @Test
  void aNodeThatIsGoneIsNotMadeAnew() {
    state.served(true);
    assertThat(state.next()).isInstanceOf(NodeState.Step.Read.class);
    state.notFound();

    assertThat(state.next()).isInstanceOf(NodeState.Step.Idle.class);

    // and one of its name that comes before anybody tells of the end of the first
    state.observed(node("{}"));
    assertThat(state.next()).isInstanceOf(NodeState.Step.PatchStatus.class);
  }
}
