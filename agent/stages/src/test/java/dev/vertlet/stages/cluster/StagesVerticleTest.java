package dev.vertlet.stages.cluster;

import static dev.vertlet.stages.cluster.StagesLab.stage;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.bus.Addresses;
import dev.vertlet.bus.NodesAssigned;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.stages.play.StageObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagesVerticleTest {
  private static final String POD_STAGES =
      """
      apiVersion: kwok.x-k8s.io/v1alpha1
      kind: Stage
      metadata: {name: pod-ready}
      spec:
        resourceRef: {kind: Pod}
        selector:
          matchExpressions:
          - {key: .metadata.deletionTimestamp, operator: DoesNotExist}
          - {key: .status.phase, operator: In, values: [Pending]}
        next:
          statusTemplate: |
            {{ $ips := PodIPsWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) "" "" }}
            phase: Running
            hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
            podIP: {{ index $ips 0 | Quote }}
            podIPs:
            {{ range $ips }}
            - ip: {{ . | Quote }}
            {{ end }}
            startTime: {{ Now | Quote }}
      ---
      apiVersion: kwok.x-k8s.io/v1alpha1
      kind: Stage
      metadata: {name: pod-delete}
      spec:
        resourceRef: {kind: Pod}
        selector:
          matchExpressions:
          - {key: .metadata.deletionTimestamp, operator: Exists}
        next: {delete: true}
      ---
      apiVersion: kwok.x-k8s.io/v1alpha1
      kind: Stage
      metadata: {name: node-ready}
      spec:
        resourceRef: {kind: Node}
        selector:
          matchExpressions:
          - key: '.status.conditions.[] | select( .type == "Ready" ) | .status'
            operator: NotIn
            values: ["True"]
        next:
          statusTemplate: |
            conditions:
            {{ range NodeConditions }}
            - type: {{ .type | Quote }}
              status: {{ .status | Quote }}
              reason: {{ .reason | Quote }}
            {{ end }}
            addresses:
            - {address: {{ NodeIP | Quote }}, type: InternalIP}
            daemonEndpoints:
              kubeletEndpoint:
                Port: {{ NodePort }}
      """;

  @TempDir private Path folder;

  @Test
  void playsObjectsOfAnyKindToTheEnd() throws IOException {
    try (StagesLab lab = new StagesLab(folder)) {
      lab.configMap("before");
      lab.play(stage("run", "", "running", "") + stage("end", "running", "ended", ""));
      lab.configMap("after");
      eventually(() -> assertThat(lab.state("before")).isEqualTo("ended"));
      eventually(() -> assertThat(lab.state("after")).isEqualTo("ended"));
      assertThat(lab.server.count("patch", "configmaps")).isEqualTo(4);
    }
  }

  @Test
  void severalAgentsDivideTheObjects() throws IOException {
    try (StagesLab lab = new StagesLab(folder)) {
      List<String> names = IntStream.range(0, 40).mapToObj(i -> "c" + i).toList();
      Members expected = new Members("me", true);
      expected.set(List.of("me", "other"));
      List<String> own = new ArrayList<>();
      for (String name : names) {
        if (expected.isOwn(StageObject.of(lab.configMap(name)))) {
          own.add(name);
        }
      }
      assertThat(own).isNotEmpty().hasSizeLessThan(names.size());
      lab.playShared(stage("run", "", "running", ""));
      lab.bus.publish(
          Addresses.NODES_ASSIGNED, new NodesAssigned(Map.of("n1", "me", "n2", "other")));
      eventually(() -> assertThat(running(lab, names)).isEqualTo(own));

      // the other agent is gone: its objects are left where they are until then
      lab.bus.publish(Addresses.NODES_ASSIGNED, new NodesAssigned(Map.of("n1", "me", "n2", "me")));

      eventually(() -> assertThat(running(lab, names)).isEqualTo(names));
      assertThat(lab.server.count("patch", "configmaps")).isEqualTo(names.size());
    }
  }

  private static List<String> running(StagesLab lab, List<String> names) {
    return names.stream().filter(name -> lab.state(name).equals("running")).toList();
  }

  @Test
  void retriesAnErrorOfTheServer() throws IOException {
    try (StagesLab lab = new StagesLab(folder)) {
      lab.server.faults().on("patch", "configmaps").times(2).reset();
      lab.play(stage("run", "", "running", ""));
      lab.configMap("a");
      eventually(() -> assertThat(lab.state("a")).isEqualTo("running"));
      assertThat(lab.server.count("patch", "configmaps")).isEqualTo(3);
    }
  }

  @Test
  void writesOnlyTheVersionThatTheStageWasChosenFor() throws IOException {
    try (StagesLab lab = new StagesLab(folder)) {
      lab.server.faults().on("patch", "configmaps").once().conflict();
      lab.play(stage("run", "", "running", ""));
      JsonNode created = lab.configMap("a").path("metadata");
      eventually(() -> assertThat(lab.state("a")).isEqualTo("running"));
      assertThat(lab.server.requests().stream().filter(r -> r.is("patch", "configmaps")))
          .hasSize(2)
          .allSatisfy(
              patch -> {
                JsonNode metadata = patch.json().path("metadata");
                assertThat(metadata.path("uid")).isEqualTo(created.path("uid"));
                assertThat(metadata.path("resourceVersion"))
                    .isEqualTo(created.path("resourceVersion"));
              });
    }
  }

  @Test
  @Tag("G02")
  void livesPodsAndNodes() throws IOException {
    try (StagesLab lab = new StagesLab(folder, "n1")) {
      node(lab, "n1", "10.7.0.0/28");
      node(lab, "foreign", "10.8.0.0/28");
      for (int i = 0; i < 8; i++) {
        pod(lab, "p" + i, "n1", "");
      }
      pod(lab, "other", "foreign", "");
      pod(lab, "host", "n1", "\"hostNetwork\": true,");
      lab.play(POD_STAGES);
      eventually(
          () -> {
            for (int i = 0; i < 8; i++) {
              assertThat(status(lab, "p" + i).path("phase").asText()).isEqualTo("Running");
            }
          });
      Set<String> ips =
          java.util.stream.IntStream.range(0, 8)
              .mapToObj(i -> status(lab, "p" + i).path("podIP").asText())
              .collect(Collectors.toSet());
      assertThat(ips).hasSize(8).allMatch(ip -> ip.matches("10\\.7\\.0\\.([2-9]|1[0-4])"));
      assertThat(status(lab, "other").path("phase").asText()).isEqualTo("Pending");
      eventually(
          () -> assertThat(status(lab, "host").path("podIP").asText()).isEqualTo("192.0.2.7"));
      JsonNode node = lab.find("nodes", "", "n1").path("status");
      assertThat(node.at("/daemonEndpoints/kubeletEndpoint/Port").asInt()).isEqualTo(10250);
      get(lab.server.objects().delete("pods", "default", "p3"));
      eventually(() -> assertThat(lab.find("pods", "default", "p3").isMissingNode()).isTrue());
    }
  }

  @Test
  @Tag("G02")
  void podsBeyondTheRangeOfTheirNodeWaitForAnAddress() throws IOException {
    try (StagesLab lab = new StagesLab(folder, "n1")) {
      node(lab, "n1", "10.7.0.0/29");
      for (int i = 0; i < 6; i++) {
        pod(lab, "p" + i, "n1", "");
      }
      lab.play(POD_STAGES);
      eventually(() -> assertThat(running(lab)).isEqualTo(5));
      assertThat(running(lab)).isEqualTo(5);
    }
  }

  private static long running(StagesLab lab) {
    return get(lab.server.objects().list("pods", "default")).stream()
        .filter(pod -> pod.at("/status/phase").asText().equals("Running"))
        .count();
  }

  private static JsonNode status(StagesLab lab, String pod) {
    return lab.find("pods", "default", pod).path("status");
  }

  private static void node(StagesLab lab, String name, String cidr) {
    lab.create(
        "nodes",
        """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s"},
         "spec": {"podCIDR": "%s", "podCIDRs": ["%s"]}}
        """
            .formatted(name, cidr, cidr));
  }

  private static void pod(StagesLab lab, String name, String node, String spec) {
    lab.create(
        "pods",
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default"},
         "spec": {%s "nodeName": "%s", "containers": [{"name": "c", "image": "i"}]}}
        """
            .formatted(name, spec, node));
  }

  @Test
  @Tag("G05")
  void aRunningDelayEndsAtItsTimeAfterARestart() throws IOException {
    try (StagesLab lab = new StagesLab(folder)) {
      lab.configMap("a");
      String stages = stage("run", "", "running", "delay: {durationMilliseconds: 3600000}");
      lab.play(stages);
      Path journal = folder.resolve("journal");
      eventually(() -> assertThat(journal).content().startsWith("+ "));
      lab.stopPlaying();
      // as if the hour had begun an hour ago
      String line = java.nio.file.Files.readString(journal);
      String[] parts = line.strip().split(" ");
      java.nio.file.Files.writeString(
          journal,
          "+ %s %s %d .\n".formatted(parts[1], parts[2], Long.parseLong(parts[3]) - 3_600_000));
      lab.play(stages);
      eventually(() -> assertThat(lab.state("a")).isEqualTo("running"));
    }
  }

  @Test
  @Tag("G06")
  void waitsForAKindAndPlaysOthersMeanwhile() throws IOException {
    try (StagesLab lab = new StagesLab(folder)) {
      String unknown =
          stage("later", "", "x", "")
              .replace("kind: ConfigMap", "apiGroup: example.com/v1, kind: Later");
      lab.play(unknown + stage("run", "", "running", ""));
      lab.configMap("a");
      eventually(() -> assertThat(lab.state("a")).isEqualTo("running"));
      eventually(
          () ->
              assertThat(
                      lab.server.requests().stream()
                          .filter(r -> r.path().equals("/apis/example.com/v1"))
                          .count())
                  .isGreaterThan(1));
    }
  }

  @Test
  void sendsEventsAboutTheObject() throws IOException {
    try (StagesLab lab = new StagesLab(folder)) {
      List<ObjectEvent> events = new CopyOnWriteArrayList<>();
      lab.vertx.runOnContext(v -> lab.bus.consume(Addresses.OBJECT_EVENT, events::add));
      lab.play(
          stage("run", "", "running", "")
              .replace("steps:", "steps:\n  - event: {type: Warning, reason: Begun, message: m}"));
      lab.configMap("a");
      eventually(() -> assertThat(lab.state("a")).isEqualTo("running"));
      eventually(
          () ->
              assertThat(events)
                  .singleElement()
                  .satisfies(
                      event -> {
                        assertThat(event.kind()).isEqualTo("ConfigMap");
                        assertThat(event.reason()).isEqualTo("Begun");
                        assertThat(event.type()).isEqualTo("Warning");
                      }));
    }
  }
}
