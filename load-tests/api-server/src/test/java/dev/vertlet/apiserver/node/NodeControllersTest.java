package dev.vertlet.apiserver.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Conditions;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.Timestamps;
import dev.vertlet.apiserver.control.Taint;
import dev.vertlet.apiserver.control.TestCluster;
import dev.vertlet.apiserver.registry.DeleteOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeControllersTest {
  private static final Duration GRACE = Duration.ofSeconds(40);
  private static final Duration POD_GC_DELAY = Duration.ofSeconds(10);

  private final TestCluster cluster = new TestCluster();

  @BeforeEach
  void start() {
    PodsByNode pods = new PodsByNode(cluster.cluster());
    pods.start();
    new NodeLifecycle(cluster.cluster(), pods, GRACE).start();
    new TaintEviction(cluster.cluster(), pods).start();
    new PodGc(cluster.cluster(), pods, POD_GC_DELAY).start();
  }

  private List<String> taints(String node) {
    return Taint.allOf(cluster.get("nodes", node)).stream()
        .map(taint -> taint.key().replace("node.kubernetes.io/", "") + ":" + taint.effect())
        .toList();
  }

  private void ready(String node, String value) {
    cluster.editStatus(
        "nodes",
        node,
        status -> {
          ObjectNode ready = (ObjectNode) status.path("conditions").path(0);
          ready
              .put("status", value)
              .put("reason", "Kubelet")
              .put("lastHeartbeatTime", cluster.cluster().timestamp());
        });
    cluster.settle();
  }

  private void renew(String node) {
    renew(node, Duration.ZERO);
  }

  private void renew(String node, Duration behind) {
    var leases = cluster.cluster().resource("leases");
    String now = Timestamps.micros(cluster.time().instant().minus(behind));
    var lease = cluster.cluster().find(leases, "kube-node-lease", node);
    if (lease.isPresent()) {
      cluster
          .cluster()
          .edit(leases, lease.get(), view -> Json.child(view, "spec").put("renewTime", now));
    } else {
      cluster.create(
          "leases",
          "{'metadata':{'name':'%s','namespace':'kube-node-lease'},'spec':{'renewTime':'%s'}}"
              .formatted(node, now));
    }
    cluster.settle();
  }

  @Test
  void aNewNodeLosesItsTaintWhenItIsReady() {
    cluster.node("n", 1);
    assertThat(taints("n")).containsExactly("not-ready:NoSchedule");

    cluster.settle();

    assertThat(taints("n")).isEmpty();
  }

  @Test
  void taintsFollowConditionsAndCordon() {
    cluster.node("n", 1);
    cluster.edit(
        "nodes",
        "n",
        node ->
            Json.child(node, "spec")
                .put("unschedulable", true)
                .putArray("taints")
                .addObject()
                .put("key", "own")
                .put("effect", "NoExecute"));
    ready("n", "False");
    assertThat(taints("n"))
        .containsExactly(
            "own:NoExecute",
            "not-ready:NoSchedule",
            "not-ready:NoExecute",
            "unschedulable:NoSchedule");
    assertThat(cluster.get("nodes", "n").at("/spec/taints/2").has("timeAdded")).isTrue();

    cluster.edit("nodes", "n", node -> Json.child(node, "spec").remove("unschedulable"));
    ready("n", "True");

    assertThat(taints("n")).containsExactly("own:NoExecute");
  }

  @Test
  void leasesKeepANodeAlive() {
    cluster.node("n", 1);
    for (int i = 0; i < 10; i++) {
      cluster.advance(Duration.ofSeconds(30));
      renew("n");
    }

    assertThat(Conditions.value(cluster.get("nodes", "n"), "Ready")).isEqualTo("True");
  }

  /** As Kubernetes' node lifecycle controller: only a later renewTime counts. */
  @Test
  void aLeaseWithAnEarlierRenewTimeDoesNotKeepANodeAlive() {
    cluster.node("n", 1);
    renew("n");

    cluster.advance(Duration.ofSeconds(30));
    renew("n", Duration.ofHours(1));
    cluster.advance(Duration.ofSeconds(11));
    renew("n", Duration.ofHours(1));

    assertThat(Conditions.value(cluster.get("nodes", "n"), "Ready")).isEqualTo("Unknown");
  }

  @Test
  void aSilentNodeBecomesUnknownAndComesBack() {
    cluster.node("n", 1);
    cluster.pod("p", "'nodeName':'n',");
    cluster.editStatus(
        "pods",
        "p",
        status ->
            status.putArray("conditions").addObject().put("type", "Ready").put("status", "True"));
    cluster.advance(GRACE.plusSeconds(1));

    JsonNode ready = Conditions.find(cluster.get("nodes", "n"), "Ready");
    assertThat(ready.path("status").asText()).isEqualTo("Unknown");
    assertThat(ready.path("reason").asText()).isEqualTo("NodeStatusUnknown");
    assertThat(ready.path("message").asText()).isEqualTo("Kubelet stopped posting node status.");
    JsonNode disk = Conditions.find(cluster.get("nodes", "n"), "DiskPressure");
    assertThat(disk.path("reason").asText()).isEqualTo("NodeStatusNeverUpdated");
    assertThat(taints("n")).containsExactly("unreachable:NoSchedule", "unreachable:NoExecute");
    assertThat(Conditions.value(cluster.get("pods", "p"), "Ready")).isEqualTo("False");
    assertThat(cluster.eventReasons()).containsExactly("NodeNotReady");

    ready("n", "True");
    assertThat(taints("n")).isEmpty();
    cluster.advance(Duration.ofSeconds(400));
    assertThat(cluster.find("pods", "p")).isPresent(); // its end was called off
  }

  @Test
  void podsAreDeletedWhenTheirTolerationEnds() {
    cluster.node("n", 1);
    cluster.pod("patient", "'nodeName':'n',"); // admission gave it 300 s
    cluster.pod(
        "brief",
        "'nodeName':'n','tolerations':[{'key':'node.kubernetes.io/not-ready','operator':'Exists','effect':'NoExecute','tolerationSeconds':5}],");
    cluster.pod("eternal", "'nodeName':'n','tolerations':[{'operator':'Exists'}],");
    cluster.settle();
    for (int i = 0; i < 3; i++) {
      renew("n");
      cluster.advance(Duration.ofSeconds(10));
    }

    ready("n", "False");
    cluster.advance(Duration.ofSeconds(4));
    assertThat(isTerminating("brief")).isFalse();
    cluster.advance(Duration.ofSeconds(1));
    assertThat(isTerminating("brief")).isTrue();
    assertThat(isTerminating("patient")).isFalse();
    assertThat(
            Conditions.find(cluster.get("pods", "brief"), "DisruptionTarget")
                .path("reason")
                .asText())
        .isEqualTo("DeletionByTaintManager");
    for (int i = 0; i < 30; i++) {
      cluster.advance(Duration.ofSeconds(10));
      renew("n");
    }
    assertThat(isTerminating("patient")).isTrue();
    assertThat(isTerminating("eternal")).isFalse();
  }

  private boolean isTerminating(String pod) {
    return cluster.get("pods", pod).path("metadata").has("deletionTimestamp");
  }

  @Test
  void podsOfANodeThatIsGoneGoToo() {
    cluster.node("n", 1);
    cluster.pod("p", "'nodeName':'n',");
    cluster.pod("finalized", "'nodeName':'n',");
    cluster.edit(
        "pods", "finalized", pod -> pod.withObject("/metadata").putArray("finalizers").add("a/b"));
    cluster.delete("nodes", "n", DeleteOptions.DEFAULT);
    cluster.advance(POD_GC_DELAY.minusSeconds(1));
    assertThat(cluster.find("pods", "p")).isPresent();

    cluster.advance(Duration.ofSeconds(1));

    assertThat(cluster.find("pods", "p")).isEmpty();
    JsonNode held = cluster.get("pods", "finalized");
    assertThat(held.at("/status/phase").asText()).isEqualTo("Failed");
    assertThat(Conditions.find(held, "DisruptionTarget").path("reason").asText())
        .isEqualTo("DeletionByPodGC");
  }

  @Test
  void aNodeMayComeBackOrComeLate() {
    cluster.pod("p", "'nodeName':'n',");
    cluster.advance(POD_GC_DELAY.dividedBy(2));
    cluster.node("n", 1);
    cluster.advance(POD_GC_DELAY.multipliedBy(2));

    assertThat(cluster.find("pods", "p")).isPresent();
  }

  @Test
  void theShortestTolerationCounts() {
    JsonNode tolerations =
        Json.parse(
                "{\"t\":[{\"key\":\"a\",\"operator\":\"Exists\",\"tolerationSeconds\":9},{\"key\":\"b\",\"operator\":\"Exists\",\"tolerationSeconds\":-1},{\"key\":\"c\",\"operator\":\"Exists\"}]}")
            .path("t");
    Taint a = new Taint("a", "", Taint.NO_EXECUTE);
    Taint b = new Taint("b", "", Taint.NO_EXECUTE);
    Taint c = new Taint("c", "", Taint.NO_EXECUTE);
    Taint d = new Taint("d", "", Taint.NO_EXECUTE);

    assertThat(Tolerance.of(tolerations, List.of(c))).isEmpty();
    assertThat(Tolerance.of(tolerations, List.of(c, a))).contains(Duration.ofSeconds(9));
    assertThat(Tolerance.of(tolerations, List.of(a, b))).contains(Duration.ZERO);
    assertThat(Tolerance.of(tolerations, List.of(a, d))).isEqualTo(Optional.of(Duration.ZERO));
  }
}
