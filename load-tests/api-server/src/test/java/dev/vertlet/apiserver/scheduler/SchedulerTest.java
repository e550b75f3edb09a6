package dev.vertlet.apiserver.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Conditions;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.control.TestCluster;
import dev.vertlet.apiserver.registry.DeleteOptions;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SchedulerTest {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final TestCluster cluster = new TestCluster();

  @BeforeEach
  void start() {
    new Scheduler(cluster.cluster(), cluster.subresources()).start();
  }

  private String nodeOf(String pod) {
    return Json.text(cluster.get("pods", pod), "spec", "nodeName");
  }

  private String messageOf(String pod) {
    JsonNode condition = Conditions.find(cluster.get("pods", pod), "PodScheduled");
    assertThat(condition.path("status").asText()).isEqualTo("False");
    assertThat(condition.path("reason").asText()).isEqualTo("Unschedulable");
    return condition.path("message").asText();
  }

  @Test
  void spreadsPodsOverNodesByTheirNumber() {
    cluster.openNode("a", 10);
    cluster.openNode("b", 10);
    cluster.openNode("c", 10);
    cluster.pod("there", "'nodeName':'b',");

    for (int i = 0; i < 5; i++) {
      cluster.pod("p" + i, "");
    }
    cluster.advance(RETRY);

    Map<String, Integer> pods = new TreeMap<>();
    for (String pod : new String[] {"there", "p0", "p1", "p2", "p3", "p4"}) {
      pods.merge(nodeOf(pod), 1, Integer::sum);
    }
    assertThat(pods).isEqualTo(Map.of("a", 2, "b", 2, "c", 2));
    JsonNode bound = Conditions.find(cluster.get("pods", "p0"), "PodScheduled");
    assertThat(bound.path("status").asText()).isEqualTo("True");
    assertThat(cluster.eventReasons()).containsOnly("Scheduled").hasSize(5);
  }

  @Test
  void saysThatThereAreNoNodesAndBindsOnceOneCame() {
    cluster.pod("p", "");
    cluster.advance(RETRY);
    assertThat(messageOf("p")).isEqualTo("no nodes available to schedule pods");

    cluster.openNode("a", 1);
    cluster.advance(RETRY);

    assertThat(nodeOf("p")).isEqualTo("a");
    assertThat(Json.at(cluster.get("pods", "p"), "status", "conditions")).hasSize(1);
    assertThat(cluster.eventReasons()).containsExactlyInAnyOrder("FailedScheduling", "Scheduled");
  }

  @Test
  void saysOfEachNodeWhyItDoesNotFit() {
    cluster.node("tainted", 10);
    cluster.openNode("full", 0);
    cluster.openNode("cordoned", 10);
    cluster.edit("nodes", "cordoned", node -> Json.child(node, "spec").put("unschedulable", true));

    cluster.create(
        "pods",
        "{'metadata':{'name':'big'},'spec':{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'3','memory':'4Gi'}}}]}}");
    cluster.pod("small", "");
    cluster.pod("choosy", "'nodeSelector':{'x':'y'},'tolerations':[{'operator':'Exists'}],");
    cluster.advance(RETRY);

    assertThat(messageOf("big"))
        .isEqualTo(
            "0/3 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 1 Too many pods,"
                + " 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable."
                + " no new claims to deallocate, preemption: 0/3 nodes are available:"
                + " 3 Preemption is not helpful for scheduling.");
    assertThat(messageOf("small"))
        .isEqualTo(
            "0/3 nodes are available: 1 Too many pods, 1 node(s) had untolerated taint(s),"
                + " 1 node(s) were unschedulable. no new claims to deallocate, preemption:"
                + " 0/3 nodes are available: 1 No preemption victims found for incoming pod,"
                + " 2 Preemption is not helpful for scheduling.");
    assertThat(messageOf("choosy"))
        .startsWith(
            "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.");
  }

  @Test
  void obeysSelectorsAffinityAndTolerations() {
    cluster.openNode("a", 10);
    cluster.openNode("b", 10);
    cluster.node("tainted", 10);

    cluster.pod("selected", "'nodeSelector':{'name':'b'},");
    cluster.pod("expressed", affinity("matchExpressions", "name", "NotIn", "['b']"));
    cluster.pod(
        "daemon",
        affinity("matchFields", "metadata.name", "In", "['tainted']")
            + "'tolerations':[{'key':'node.kubernetes.io/not-ready','operator':'Exists'}],");
    cluster.pod("elsewhere", affinity("matchFields", "metadata.name", "In", "['none']"));
    cluster.pod("foreign", "'schedulerName':'other',");
    cluster.advance(RETRY);

    assertThat(nodeOf("selected")).isEqualTo("b");
    assertThat(nodeOf("expressed")).isEqualTo("a");
    assertThat(nodeOf("daemon")).isEqualTo("tainted");
    assertThat(nodeOf("foreign")).isEmpty();
    assertThat(messageOf("elsewhere"))
        .startsWith("0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [NodeAffinity].");
  }

  private static String affinity(String list, String key, String operator, String values) {
    return ("'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':["
            + "{'%s':[{'key':'%s','operator':'%s','values':%s}]}]}}},")
        .formatted(list, key, operator, values);
  }

  /** A thousand times the work of a small cluster must not take a million times as long. */
  @Test
  void aBurstIsBoundEvenly() {
    for (int i = 0; i < 1_000; i++) {
      cluster.openNode("n" + i, 110);
    }
    for (int i = 0; i < 10_000; i++) {
      cluster.pod("p" + i, "");
    }

    cluster.advance(RETRY);

    Map<String, Integer> pods = new TreeMap<>();
    for (int i = 0; i < 10_000; i++) {
      pods.merge(nodeOf("p" + i), 1, Integer::sum);
    }
    assertThat(pods).hasSize(1_000);
    assertThat(pods.values()).containsOnly(10);
  }

  @Test
  void gatesHoldAPodBack() {
    cluster.openNode("a", 10);
    cluster.pod("gated", "'schedulingGates':[{'name':'example.com/gate'}],");
    cluster.advance(RETRY);
    JsonNode condition = Conditions.find(cluster.get("pods", "gated"), "PodScheduled");
    assertThat(condition.path("reason").asText()).isEqualTo("SchedulingGated");
    assertThat(nodeOf("gated")).isEmpty();

    cluster.edit("pods", "gated", pod -> Json.child(pod, "spec").remove("schedulingGates"));
    cluster.advance(RETRY);

    assertThat(nodeOf("gated")).isEqualTo("a");
  }

  @Test
  void requestsAndEndedPodsCount() {
    cluster.openNode("a", 10);
    String pod =
        "{'metadata':{'name':'%s'},'spec':{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'1500m'}}}]}}";
    cluster.create("pods", pod.formatted("first"));
    cluster.create("pods", pod.formatted("second"));
    cluster.advance(RETRY);
    assertThat(nodeOf("first")).isEqualTo("a");
    assertThat(messageOf("second")).contains("1 Insufficient cpu");

    cluster.editStatus("pods", "first", status -> status.put("phase", "Succeeded"));
    cluster.advance(RETRY);

    assertThat(nodeOf("second")).isEqualTo("a");
  }

  @Test
  void requestsOfThePodAsAWholeReplaceThoseOfItsContainers() {
    cluster.openNode("a", 10);
    String pod =
        "{'metadata':{'name':'%s'},'spec':{'resources':{'requests':{'cpu':'1500m'}},"
            + "'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'100m'}}}]}}";
    cluster.create("pods", pod.formatted("first"));
    cluster.create("pods", pod.formatted("second"));

    cluster.advance(RETRY);

    assertThat(nodeOf("first")).isEqualTo("a");
    assertThat(messageOf("second")).contains("1 Insufficient cpu");
  }

  @Test
  void aDeletedPodMakesRoom() {
    cluster.openNode("a", 1);
    cluster.pod("first", "");
    cluster.advance(RETRY);
    cluster.pod("second", "");
    cluster.advance(RETRY);
    assertThat(nodeOf("second")).isEmpty();

    cluster.delete("pods", "first", DeleteOptions.NOW);
    cluster.advance(RETRY);

    assertThat(nodeOf("second")).isEqualTo("a");
  }

  @Test
  void higherPriorityGoesFirst() {
    cluster.openNode("a", 1);
    cluster.pod("low", "");
    cluster.pod("high", "'priorityClassName':'system-cluster-critical',");

    cluster.advance(RETRY);

    assertThat(nodeOf("high")).isEqualTo("a");
    assertThat(nodeOf("low")).isEmpty();
  }

  @Test
  void aNodeThatIsOpenedAgainTakesThePodsThatWait() {
    cluster.openNode("a", 10);
    cluster.edit(
        "nodes",
        "a",
        node -> {
          ArrayNode taints = Json.child(node, "spec").putArray("taints");
          taints.addObject().put("key", "k").put("value", "v").put("effect", "NoExecute");
        });
    for (int i = 0; i < 3; i++) {
      cluster.pod("p" + i, "");
    }
    cluster.advance(RETRY);
    assertThat(messageOf("p2")).contains("1 node(s) had untolerated taint(s)");

    cluster.edit("nodes", "a", node -> Json.child(node, "spec").remove("taints"));
    cluster.advance(RETRY);

    assertThat(nodeOf("p0")).isEqualTo("a");
    assertThat(nodeOf("p2")).isEqualTo("a");
  }

  @Test
  void doesNotWriteWhatAPodKnowsAlready() {
    cluster.pod("p", "'nodeSelector':{'x':'y'},");
    cluster.openNode("a", 10);
    cluster.advance(RETRY);
    String message = messageOf("p");
    long revision = cluster.revision();

    cluster.editStatus("nodes", "a", status -> heartbeat(status, "2026-01-02T04:00:00Z"));
    cluster.pod("other", "'nodeName':'a',");
    cluster.delete("pods", "other", DeleteOptions.NOW);
    long written = cluster.revision() - revision;
    cluster.advance(RETRY);

    assertThat(messageOf("p")).isEqualTo(message);
    assertThat(cluster.revision()).isEqualTo(revision + written);
  }

  private static void heartbeat(ObjectNode status, String time) {
    ((ObjectNode) status.path("conditions").path(0)).put("lastHeartbeatTime", time);
  }
}
