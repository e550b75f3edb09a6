package dev.vertlet.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.NodeAddressView;
import dev.vertlet.model.NodeConditionView;
import dev.vertlet.model.NodeDecoder;
import dev.vertlet.model.NodeStatusView;
import dev.vertlet.model.NodeView;
import dev.vertlet.model.RuntimeFeatures;
import dev.vertlet.model.TaintView;
import dev.vertlet.provider.NodeProvider.NodeHealth;
import dev.vertlet.provider.NodeSpec;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NodeObjectTest {
  private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
  private static final TaintView OWN = new TaintView("own", "x", "NoSchedule");
  private static final TaintView FOREIGN = new TaintView("foreign", "", "NoExecute");

  private final NodeSpec spec = spec(List.of(OWN), Map.of("a", "1"));
  private final NodeObject object = new NodeObject(spec, "me");
  private final NodeStatusView healthy = NodeStatuses.of(spec, NodeHealth.HEALTHY);

  @Test
  void createsTheNodeWithLabelsTaintsAndReadyLast() {
    JsonObject node = object.create(healthy, T0).toJsonObject();
    JsonObject labels = node.getJsonObject("metadata").getJsonObject("labels");
    assertThat(labels.getString("a")).isEqualTo("1");
    assertThat(labels.getString(NodeOptions.AGENT_LABEL)).isEqualTo("me");
    assertThat(node.getJsonObject("spec").getJsonArray("taints")).hasSize(1);
    JsonArray conditions = node.getJsonObject("status").getJsonArray("conditions");
    assertThat(conditions.getJsonObject(conditions.size() - 1).getString("type"))
        .isEqualTo("Ready");
    assertThat(conditions.getJsonObject(conditions.size() - 1).getString("status"))
        .isEqualTo("True");
  }

  @Test
  void findsNothingToDoForANodeItMadeItself() {
    NodeView made = created();
    assertThat(object.metadataPatch(made)).isEmpty();
    assertThat(object.statusPatch(made, healthy, T0.plusSeconds(60), false)).isEmpty();
  }

  @Test
  void showsWhatItsRuntimeCanDo() {
    NodeSpec able = spec.withFeatures(RuntimeFeatures.ALL);
    NodeStatusView wanted = NodeStatuses.of(able, NodeHealth.HEALTHY);

    JsonObject status =
        object.statusPatch(created(), wanted, T0, false).orElseThrow().toJsonObject();

    assertThat(status.getJsonObject("status").getJsonObject("features"))
        .isEqualTo(new JsonObject("{\"supplementalGroupsPolicy\": true}"));
    assertThat(status.getJsonObject("status").getJsonArray("runtimeHandlers"))
        .isEqualTo(
            new JsonArray(
                "[{\"name\": \"\", \"features\": {\"recursiveReadOnlyMounts\": true,"
                    + " \"userNamespaces\": true}}]"));
    JsonObject made = new NodeObject(able, "me").create(wanted, T0).toJsonObject();
    made.getJsonObject("metadata").put("uid", "u").put("resourceVersion", "7");
    NodeView shown = NodeDecoder.decode(made.toBuffer());
    assertThat(object.statusPatch(shown, wanted, T0.plusSeconds(60), false)).isEmpty();
    assertThat(healthy.features()).isEqualTo(RuntimeFeatures.NONE);
  }

  @Test
  @Tag("2.4-6")
  void reconcilesOwnTaintsOfANodeThatExistedAndKeepsForeignOnes() {
    JsonObject patch = metadataPatch(object, node(Map.of(), Map.of(), List.of(FOREIGN)));
    JsonArray taints = patch.getJsonObject("spec").getJsonArray("taints");
    assertThat(taints.getJsonObject(0).getString("key")).isEqualTo("foreign");
    assertThat(taints.getJsonObject(1).getString("key")).isEqualTo("own");
    assertThat(patch.getJsonObject("metadata").getString("resourceVersion")).isEqualTo("7");
  }

  @Test
  void keepsTheTimeOfAForeignTaint() {
    TaintView timed = new TaintView("foreign", "", "NoExecute", "2026-01-01T00:00:00Z");
    JsonObject patch = metadataPatch(object, node(Map.of(), Map.of(), List.of(timed)));
    assertThat(
            patch
                .getJsonObject("spec")
                .getJsonArray("taints")
                .getJsonObject(0)
                .getString("timeAdded"))
        .isEqualTo("2026-01-01T00:00:00Z");
  }

  @Test
  void removesATaintAndALabelThatLeftTheConfiguration() {
    NodeView before = created();
    NodeObject changed = new NodeObject(spec(List.of(), Map.of()), "me");
    JsonObject patch = metadataPatch(changed, before);
    assertThat(patch.getJsonObject("spec").getJsonArray("taints")).isEmpty();
    JsonObject labels = patch.getJsonObject("metadata").getJsonObject("labels");
    assertThat(labels.containsKey("a")).isTrue();
    assertThat(labels.getValue("a")).isNull();
  }

  @Test
  @Tag("BeforeAnnotationsPreserved")
  void keepsLabelsAndAnnotationsOfOthers() {
    Map<String, String> labels = new HashMap<>(created().labels());
    labels.put("foreign", "yes");
    NodeView node = node(labels, created().annotations(), List.of(OWN));
    assertThat(object.metadataPatch(node)).isEmpty();
  }

  @Test
  void textThatSomebodyBrokeInTheBookkeepingCountsAsNothingApplied() {
    NodeView node = node(Map.of(), Map.of(LastApplied.ANNOTATION, "{nonsense"), List.of(FOREIGN));
    assertThat(metadataPatch(object, node).getJsonObject("spec").getJsonArray("taints")).hasSize(2);
  }

  @Test
  void aConditionKeepsItsTransitionTimeWhileItsStatusStays() {
    NodeView made = created();
    JsonObject patch =
        object.statusPatch(made, healthy, T0.plusSeconds(300), true).orElseThrow().toJsonObject();
    JsonObject ready = condition(patch, "Ready");
    assertThat(ready.getString("lastHeartbeatTime")).isEqualTo("2026-01-01T00:05:00Z");
    assertThat(ready.getString("lastTransitionTime")).isEqualTo("2026-01-01T00:00:00Z");
  }

  @Test
  void aProblemMovesReadyAndNamesIt() {
    NodeHealth sick = new NodeHealth(false, "container runtime is down", List.of());
    JsonObject patch =
        object
            .statusPatch(created(), NodeStatuses.of(spec, sick), T0.plusSeconds(9), false)
            .orElseThrow()
            .toJsonObject();
    JsonObject ready = condition(patch, "Ready");
    assertThat(ready.getString("status")).isEqualTo("False");
    assertThat(ready.getString("reason")).isEqualTo("KubeletNotReady");
    assertThat(ready.getString("message")).isEqualTo("container runtime is down");
    assertThat(ready.getString("lastTransitionTime")).isEqualTo("2026-01-01T00:00:09Z");
  }

  @Test
  @Tag("C71")
  @Tag("ManualConditionsPreserved")
  void c71ConditionsOfOthersStayAndReadyIsLast() {
    NodeView made = created();
    List<NodeConditionView> conditions = new java.util.ArrayList<>(made.status().conditions());
    conditions.add(new NodeConditionView("Foreign", "True", "r", "m", T0, T0));
    NodeView node =
        new NodeView(
            made.name(),
            made.uid(),
            9,
            made.labels(),
            made.annotations(),
            made.taints(),
            false,
            made.status().withConditions(conditions));
    JsonObject patch =
        object.statusPatch(node, healthy, T0.plusSeconds(1), true).orElseThrow().toJsonObject();
    JsonArray order = patch.getJsonObject("status").getJsonArray("$setElementOrder/conditions");
    assertThat(order.getJsonObject(0).getString("type")).isEqualTo("Foreign");
    assertThat(order.getJsonObject(order.size() - 1).getString("type")).isEqualTo("Ready");
    assertThat(condition(patch, "Foreign").isEmpty()).isTrue();
  }

  @Test
  void withoutCapacityTheNodeIsNotReady() {
    NodeSpec bare =
        new NodeSpec(
            "n",
            Map.of(),
            Map.of(),
            List.of(),
            Map.of("pods", "1"),
            Map.of(),
            List.of(),
            Map.of(),
            "");
    NodeConditionView ready = NodeStatuses.of(bare, NodeHealth.HEALTHY).condition("Ready");
    assertThat(ready).isNotNull();
    assertThat(String.valueOf(ready)).contains("missing node capacity for resources: cpu, memory");
  }

  private NodeView created() {
    JsonObject json = object.create(healthy, T0).toJsonObject();
    json.getJsonObject("metadata").put("uid", "uid-1").put("resourceVersion", "5");
    return NodeDecoder.decode(json.toBuffer());
  }

  private static JsonObject metadataPatch(NodeObject object, NodeView node) {
    return object.metadataPatch(node).orElseThrow().toJsonObject();
  }

  private static JsonObject condition(JsonObject patch, String type) {
    for (Object condition : patch.getJsonObject("status").getJsonArray("conditions")) {
      if (condition instanceof JsonObject c && type.equals(c.getString("type"))) {
        return c;
      }
    }
    return new JsonObject();
  }

  private static NodeView node(
      Map<String, String> labels, Map<String, String> annotations, List<TaintView> taints) {
    NodeStatusView none = new NodeStatusView(Map.of(), Map.of(), List.of(), List.of(), Map.of(), 0);
    return new NodeView("n", "uid-1", 7, labels, annotations, taints, false, none);
  }

  private static NodeSpec spec(List<TaintView> taints, Map<String, String> labels) {
    Map<String, String> capacity = Map.of("cpu", "4", "memory", "8Gi", "pods", "110");
    return new NodeSpec(
        "n",
        labels,
        Map.of(),
        taints,
        capacity,
        capacity,
        List.of(new NodeAddressView("InternalIP", "10.0.0.1")),
        Map.of("kubeletVersion", "v1"),
        "10.200.0.0/24");
  }
}
