package dev.vertlet.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.NodeDecoder;
import dev.vertlet.model.node.NodeImageView;
import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.node.RuntimeFeatures;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.provider.node.NodeProvider.NodeHealth;
import dev.vertlet.provider.node.NodeSpec;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  void writesItsImagesWhereTheyAreOthers() {
    NodeImageView image = new NodeImageView(List.of("r/a@sha256:1", "r/a:1"), 7);
    NodeStatusView wanted = showing(List.of(image, new NodeImageView(List.of("r/b:1"), 0)));

    JsonObject first =
        object.statusPatch(created(), wanted, T0, false).orElseThrow().toJsonObject();

    assertThat(first.getJsonObject("status").getJsonArray("images"))
        .isEqualTo(
            new JsonArray(
                "[{\"names\": [\"r/a@sha256:1\", \"r/a:1\"], \"sizeBytes\": 7},"
                    + " {\"names\": [\"r/b:1\"]}]"));
    NodeView shown = shown(wanted);
    assertThat(object.statusPatch(shown, wanted, T0.plusSeconds(60), false)).isEmpty();
    JsonObject heartbeat = object.statusPatch(shown, wanted, T0, true).orElseThrow().toJsonObject();
    assertThat(heartbeat.getJsonObject("status").containsKey("images")).isFalse();
    JsonObject emptied =
        object.statusPatch(shown, showing(List.of()), T0, false).orElseThrow().toJsonObject();
    assertThat(emptied.getJsonObject("status").fieldNames()).contains("images");
    assertThat(emptied.getJsonObject("status").getValue("images")).isNull();
    assertThat(object.statusPatch(created(), showing(List.of()), T0, false)).isEmpty();
  }

  @Test
  void leavesTheImagesOfANodeOfWhichNothingIsSaid() {
    NodeView shown = shown(showing(List.of(new NodeImageView(List.of("r/a:1"), 7))));

    assertThat(object.statusPatch(shown, healthy, T0, false)).isEmpty();
    assertThat(
            NodeObject.adopted(spec, false)
                .statusPatch(shown, showing(List.of()), T0, false)
                .map(patch -> patch.toJsonObject().getJsonObject("status").containsKey("images")))
        .isNotEqualTo(Optional.of(true));
  }

  private NodeStatusView showing(List<NodeImageView> images) {
    return NodeStatuses.of(spec.withImages(images), NodeHealth.HEALTHY);
  }

  private NodeView shown(NodeStatusView status) {
    JsonObject made = object.create(status, T0).toJsonObject();
    made.getJsonObject("metadata").put("uid", "u").put("resourceVersion", "7");
    return NodeDecoder.decode(made.toBuffer());
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

  /** A kubelet registers with its taints, and leaves them to others from then on. */
  @Test
  void aTaintThatSomebodyRemovedOrChangedStaysSo() {
    NodeView made = created();
    assertThat(object.metadataPatch(node(made.labels(), made.annotations(), List.of()))).isEmpty();
    TaintView changed = new TaintView("own", "y", "NoSchedule");
    assertThat(object.metadataPatch(node(made.labels(), made.annotations(), List.of(changed))))
        .isEmpty();
  }

  @Test
  void aTaintThatTheConfigurationChangesIsWritten() {
    NodeView made = created();
    TaintView other = new TaintView("own", "z", "NoSchedule");
    TaintView more = new TaintView("more", "", "NoExecute");
    NodeObject configured = new NodeObject(spec(List.of(other, more), Map.of("a", "1")), "me");

    JsonArray taints =
        metadataPatch(configured, node(made.labels(), made.annotations(), List.of(OWN, FOREIGN)))
            .getJsonObject("spec")
            .getJsonArray("taints");

    assertThat(taints)
        .extracting(taint -> ((JsonObject) taint).getString("key"))
        .containsExactly("own", "foreign", "more");
    assertThat(taints.getJsonObject(0).getString("value")).isEqualTo("z");
  }

  /** What an agent before this one remembers of taints has no values. */
  @Test
  void aTaintWhoseValueIsNotRememberedIsPutRight() {
    NodeView made = created();
    Map<String, String> annotations = new HashMap<>(made.annotations());
    annotations.computeIfPresent(
        LastApplied.ANNOTATION, (key, text) -> text.replace("own=x:", "own:"));
    TaintView changed = new TaintView("own", "y", "NoSchedule");

    JsonObject patch = metadataPatch(object, node(made.labels(), annotations, List.of(changed)));

    assertThat(patch.getJsonObject("spec").getJsonArray("taints"))
        .containsExactly(
            new JsonObject().put("key", "own").put("effect", "NoSchedule").put("value", "x"));
    NodeObject without = new NodeObject(spec(List.of(), Map.of("a", "1")), "me");
    assertThat(
            metadataPatch(without, node(made.labels(), annotations, List.of(changed)))
                .getJsonObject("spec")
                .getJsonArray("taints"))
        .isEmpty();
  }

  private static NodeView having(
      NodeView node, Map<String, String> capacity, Map<String, String> allocatable) {
    NodeStatusView had = node.status();
    return new NodeView(
        node.name(),
        node.uid(),
        9,
        node.labels(),
        node.annotations(),
        node.taints(),
        false,
        new NodeStatusView(
            capacity,
            allocatable,
            had.conditions(),
            had.addresses(),
            had.nodeInfo(),
            had.kubeletPort()));
  }

  private static Map<String, String> with(Map<String, String> base, String... more) {
    Map<String, String> all = new HashMap<>(base);
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  @Test
  void podsMayUseWhatOthersAddToTheCapacityAndHugePagesAreNoMemory() {
    NodeView made = created();
    Map<String, String> capacity =
        with(made.status().capacity(), "example.com/dongle", "4", "hugepages-2Mi", "1Gi");

    JsonObject patch =
        object
            .statusPatch(having(made, capacity, made.status().allocatable()), healthy, T0, false)
            .orElseThrow()
            .toJsonObject()
            .getJsonObject("status");

    assertThat(patch.getJsonObject("allocatable").getMap())
        .containsEntry("example.com/dongle", "4")
        .containsEntry("hugepages-2Mi", "1Gi")
        .containsEntry("memory", "7Gi");
    assertThat(patch.getJsonObject("capacity").fieldNames())
        .doesNotContain("example.com/dongle", "hugepages-2Mi");
    NodeView settled =
        having(
            made,
            capacity,
            with(
                made.status().allocatable(),
                "example.com/dongle",
                "4",
                "hugepages-2Mi",
                "1Gi",
                "memory",
                "7Gi"));
    assertThat(object.statusPatch(settled, healthy, T0, false)).isEmpty();
  }

  @Test
  void podsMayNoLongerUseWhatOthersTookOutOfTheCapacity() {
    NodeView made = created();
    NodeView node =
        having(
            made,
            made.status().capacity(),
            with(made.status().allocatable(), "example.com/dongle", "4", "kubernetes.io/x", "1"));

    JsonObject allocatable =
        object
            .statusPatch(node, healthy, T0, false)
            .orElseThrow()
            .toJsonObject()
            .getJsonObject("status")
            .getJsonObject("allocatable");

    assertThat(allocatable.containsKey("example.com/dongle")).isTrue();
    assertThat(allocatable.getValue("example.com/dongle")).isNull();
    assertThat(allocatable.containsKey("kubernetes.io/x")).isFalse();
  }

  @Test
  void morePagesThanMemoryLeaveNone() {
    NodeView made = created();
    Map<String, String> capacity = with(made.status().capacity(), "hugepages-1Gi", "9Gi");

    JsonObject patch =
        object
            .statusPatch(having(made, capacity, made.status().allocatable()), healthy, T0, false)
            .orElseThrow()
            .toJsonObject();

    assertThat(patch.getJsonObject("status").getJsonObject("allocatable").getString("memory"))
        .isEqualTo("0");
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
