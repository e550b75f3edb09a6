package dev.vertlet.trace.record.sanitize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.trace.RecordedNode;
import dev.vertlet.trace.WorkloadRef;
import dev.vertlet.trace.record.Yaml;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.pointer.JsonPointer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SanitizerTest {
  private static final Sanitizer PLAIN = new Sanitizer(Anonymizer.NONE, List.of());
  private static final Sanitizer HIDDEN =
      new Sanitizer(
          Anonymizer.salted("sixteen bytes 16".getBytes(java.nio.charset.StandardCharsets.UTF_8)),
          List.of());
  private static final WorkloadRef WEB =
      new WorkloadRef("apps/v1", "Deployment", "shop-ORIG", "web-ORIG");

  /** Has SECRET wherever nothing may be recorded, ORIG wherever a name may be. */
  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: web-ORIG
        namespace: shop-ORIG
        labels: {app-ORIG: web-ORIG}
        annotations: {kubectl.kubernetes.io/last-applied-configuration: SECRET}
        managedFields: [{manager: SECRET}]
      spec:
        replicas: 3
        unknownField: SECRET
        selector: {matchLabels: {app-ORIG: web-ORIG}}
        strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 1}}
        template:
          metadata:
            labels: {app-ORIG: web-ORIG, app.kubernetes.io/part-of: shop-ORIG}
            annotations: {token: SECRET}
          spec:
            serviceAccountName: SECRET
            hostname: SECRET
            imagePullSecrets: [{name: SECRET}]
            securityContext: {seLinuxOptions: {user: SECRET}}
            nodeSelector: {team-ORIG: blue-ORIG, kubernetes.io/os: linux}
            priorityClassName: high-ORIG
            schedulerName: default-scheduler
            tolerations: [{key: gpu-ORIG, operator: Equal, value: a100-ORIG, effect: NoSchedule}]
            topologySpreadConstraints:
            - maxSkew: 1
              topologyKey: topology.kubernetes.io/zone
              whenUnsatisfiable: DoNotSchedule
              labelSelector: {matchLabels: {app-ORIG: web-ORIG}}
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchExpressions: [{key: cores-ORIG, operator: Gt, values: ["8"]}]
              podAntiAffinity:
                preferredDuringSchedulingIgnoredDuringExecution:
                - weight: 7
                  podAffinityTerm:
                    topologyKey: kubernetes.io/hostname
                    labelSelector:
                      matchExpressions: [{key: app-ORIG, operator: In, values: [web-ORIG]}]
            initContainers:
            - {name: init-ORIG, image: registry.ORIG/init:1, command: [SECRET], env: [{name: SECRET, value: SECRET}]}
            containers:
            - name: main-ORIG
              image: registry.ORIG/web:1
              command: [sh, -c, SECRET]
              args: [SECRET]
              env: [{name: SECRET, value: SECRET}, {name: X, valueFrom: {secretKeyRef: {name: SECRET, key: SECRET}}}]
              envFrom: [{configMapRef: {name: SECRET}}]
              resources: {requests: {cpu: 250m, nvidia.com/gpu: "1"}, limits: {memory: 1Gi}}
              ports: [{name: SECRET, containerPort: 80, hostPort: 8080, protocol: TCP}]
              volumeMounts: [{name: SECRET, mountPath: /SECRET}]
              readinessProbe: {exec: {command: [SECRET]}}
              lifecycle: {preStop: {exec: {command: [SECRET]}}}
              workingDir: /SECRET
            volumes:
            - {name: SECRET, configMap: {name: SECRET}}
            - {name: SECRET2, secret: {secretName: SECRET}}
            - {name: SECRET3, hostPath: {path: /SECRET}}
      status: {observedGeneration: 1, conditions: [{message: SECRET}]}
      """;

  private static Object at(JsonObject object, String pointer) {
    return JsonPointer.from(pointer).queryJson(object);
  }

  @Test
  @Tag("Q04")
  void leavesOutEverythingThatMayBeSecret() {
    String text = PLAIN.workload(WEB, Yaml.of(DEPLOYMENT)).encode();
    assertThat(text).doesNotContain("SECRET").contains("web-ORIG");
  }

  @Test
  @Tag("Q04")
  void anonymizedObjectsHaveNoOriginalName() {
    String text = HIDDEN.workload(WEB, Yaml.of(DEPLOYMENT)).encode();
    assertThat(text).doesNotContain("SECRET").doesNotContain("ORIG");
    assertThat(HIDDEN.ref(WEB).toString()).doesNotContain("ORIG");
  }

  @Test
  void keepsWhatSchedulingAndLifeCyclesDependOn() {
    JsonObject web = PLAIN.workload(WEB, Yaml.of(DEPLOYMENT));
    assertThat(at(web, "/spec/strategy/rollingUpdate/maxUnavailable")).isEqualTo(1L);
    assertThat(at(web, "/spec/strategy/rollingUpdate/maxSurge")).isEqualTo("25%");
    String pod = "/spec/template/spec";
    assertThat(at(web, pod + "/containers/0/resources/requests/cpu")).isEqualTo("250m");
    assertThat(at(web, pod + "/containers/0/resources/requests/nvidia.com~1gpu")).isEqualTo("1");
    assertThat(at(web, pod + "/containers/0/ports/0/hostPort")).isEqualTo(8080L);
    assertThat(at(web, pod + "/tolerations/0/value")).isEqualTo("a100-ORIG");
    assertThat(at(web, pod + "/priorityClassName")).isEqualTo("high-ORIG");
    assertThat(at(web, pod + "/topologySpreadConstraints/0/maxSkew")).isEqualTo(1L);
    assertThat(
            at(
                web,
                pod
                    + "/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/0"
                    + "/podAffinityTerm/labelSelector/matchExpressions/0/values/0"))
        .isEqualTo("web-ORIG");
  }

  @Test
  void anonymizedSelectorsStillMatch() {
    JsonObject web = HIDDEN.workload(WEB, Yaml.of(DEPLOYMENT));
    JsonObject selector = (JsonObject) at(web, "/spec/selector/matchLabels");
    JsonObject labels = (JsonObject) at(web, "/spec/template/metadata/labels");
    assertThat(selector.size()).isEqualTo(1);
    assertThat(labels.getMap()).containsAllEntriesOf(selector.getMap());
    assertThat(labels.fieldNames()).contains("app.kubernetes.io/part-of");
    JsonObject pod = (JsonObject) at(web, "/spec/template/spec");
    assertThat(at(pod, "/nodeSelector/kubernetes.io~1os")).isEqualTo("linux");
    assertThat(at(pod, "/schedulerName")).isEqualTo("default-scheduler");
    String terms = "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution";
    assertThat(at(pod, terms + "/nodeSelectorTerms/0/matchExpressions/0/values/0")).isEqualTo("8");
  }

  @Test
  void anonymizedNodesMatchTheirHostNameAndTheirTolerations() {
    JsonNode node =
        Yaml.of(
            """
            metadata: {name: node-ORIG, labels: {kubernetes.io/hostname: node-ORIG, pool-ORIG: blue-ORIG}}
            spec:
              unschedulable: true
              taints:
              - {key: gpu-ORIG, value: a100-ORIG, effect: NoSchedule}
              - {key: node.kubernetes.io/unschedulable, effect: NoSchedule}
            status: {capacity: {cpu: "4"}, allocatable: {cpu: 3920m, pods: "110"}}
            """);
    RecordedNode shape = HIDDEN.node(node);
    assertThat(shape.toString()).doesNotContain("ORIG");
    assertThat(shape.labels()).containsEntry("kubernetes.io/hostname", shape.name());
    JsonObject web = HIDDEN.workload(WEB, Yaml.of(DEPLOYMENT));
    assertThat(shape.taints())
        .containsExactly(
            new RecordedNode.Taint(
                (String) at(web, "/spec/template/spec/tolerations/0/key"),
                (String) at(web, "/spec/template/spec/tolerations/0/value"),
                "NoSchedule"));
    assertThat(shape.unschedulable()).isTrue();
    assertThat(shape.allocatable()).containsEntry("cpu", "3920m").containsEntry("pods", "110");
  }

  @Test
  void otherSaltsGiveOtherNames() {
    Anonymizer other =
        Anonymizer.salted("another sixteen!".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    assertThat(other.name("web")).isNotEqualTo(HIDDEN.name("web")).hasSize(14);
    assertThat(HIDDEN.name("web")).isEqualTo(HIDDEN.name("web")).matches("[a-z][a-z0-9]{13}");
  }

  @Test
  void jobsLoseTheSelectorThatTheApiServerMade() {
    JsonObject job =
        PLAIN.workload(
            new WorkloadRef("batch/v1", "Job", "a", "b"),
            Yaml.of(
                """
                metadata: {name: b, namespace: a}
                spec:
                  parallelism: 2
                  selector: {matchLabels: {batch.kubernetes.io/controller-uid: u}}
                  template:
                    metadata:
                      labels: {app: x, controller-uid: u, job-name: b, batch.kubernetes.io/controller-uid: u}
                """));
    assertThat(at(job, "/spec/selector")).isNull();
    assertThat(at(job, "/spec/template/metadata/labels"))
        .isEqualTo(new JsonObject().put("app", "x"));
    assertThat(Sanitizer.replicas(job)).isEqualTo(2);
  }

  @Test
  void customKindsKeepTheirReplicasAndTemplatesAlone() {
    List<WorkloadKind> kinds =
        WorkloadKind.parse(
            List.of(
                "batch.volcano.sh/v1alpha1.Job=/spec/tasks/*/template",
                "batch.volcano.sh/v1alpha1.Job=/spec/master"));
    JsonObject job =
        new Sanitizer(Anonymizer.NONE, kinds)
            .workload(
                new WorkloadRef("batch.volcano.sh/v1alpha1", "Job", "a", "b"),
                Yaml.of(
                    """
                    metadata: {name: b, namespace: a}
                    spec:
                      secret: SECRET
                      replicas: 4
                      master: {spec: {containers: [{name: m, env: [{value: SECRET}]}]}}
                      tasks:
                      - {name: SECRET, template: {spec: {containers: [{name: t, args: [SECRET]}]}}}
                    """));
    assertThat(job.encode()).doesNotContain("SECRET");
    assertThat(at(job, "/spec/tasks/0/template/spec/containers/0/name")).isEqualTo("t");
    assertThat(at(job, "/spec/master/spec/containers/0/name")).isEqualTo("m");
    assertThat(Sanitizer.replicas(job)).isEqualTo(4);
  }

  @Test
  void refusesKindsWithoutPathByTheirValue() {
    assertThatThrownBy(() -> WorkloadKind.parse(List.of("foo/v1.Bar")))
        .hasMessageStartingWith("\"foo/v1.Bar\": group/version.kind=/path/of/template is allowed");
    assertThatThrownBy(() -> WorkloadKind.parse(List.of("apps/v1.Deployment=/spec/template")))
        .hasMessageContaining("this kind is always recorded");
  }
}
