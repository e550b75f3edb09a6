package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stages on a real control plane: a kind of its own that comes later, nodes and pods. */
@ClusterTest
class StagesIT {
  private static final Path EXAMPLES = Path.of("..", "..", "conf", "examples", "stages");
  private static final int OBJECTS = 50;

  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: batches.stages.vertlet.dev}
      spec:
        group: stages.vertlet.dev
        names: {kind: Batch, listKind: BatchList, plural: batches, singular: batch}
        scope: Namespaced
        versions:
        - name: v1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  private static final String ROLE =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: vertlet-stages-it}
      rules:
      - {apiGroups: [stages.vertlet.dev], resources: [batches], verbs: [list, watch]}
      - {apiGroups: [stages.vertlet.dev], resources: [batches/status], verbs: [patch]}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: vertlet-stages-it}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: vertlet-stages-it}
      subjects: [{kind: ServiceAccount, name: vertlet, namespace: vertlet-system}]
      """;

  private static final String STAGES =
      Arrays.stream(
              new String[][] {
                {"pending", "DoesNotExist", "Pending"},
                {"running", "In, values: [Pending]", "Running"},
                {"completed", "In, values: [Running]", "Completed"}
              })
          .map(
              stage ->
                  """
                  apiVersion: kwok.x-k8s.io/v1alpha1
                  kind: Stage
                  metadata: {name: batch-%s}
                  spec:
                    resourceRef: {apiGroup: stages.vertlet.dev/v1, kind: Batch}
                    selector:
                      matchExpressions:
                      - {key: .status.phase, operator: %s}
                    delay:
                      durationFrom: {expressionFrom: '.metadata.annotations["delay"]'}
                    next:
                      statusTemplate: |
                        phase: %s
                        history:
                        {{ range .status.history }}
                        - {{ . }}
                        {{ end }}
                        - %s
                  """
                      .formatted(stage[0], stage[1], stage[2], stage[2]))
          .collect(Collectors.joining("---\n"));

  /** KWOK's own definition, without its schema. */
  private static final String STAGE_DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: stages.kwok.x-k8s.io}
      spec:
        group: kwok.x-k8s.io
        names: {kind: Stage, listKind: StageList, plural: stages, singular: stage}
        scope: Cluster
        versions:
        - name: v1alpha1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  private static final String STAGE_ROLE =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: vertlet-stage-objects-it}
      rules:
      - {apiGroups: [kwok.x-k8s.io], resources: [stages], verbs: [list, watch]}
      - {apiGroups: [stages.vertlet.dev], resources: [batches], verbs: [list, watch]}
      %s
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: vertlet-stage-objects-it}
      roleRef:
        {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: vertlet-stage-objects-it}
      subjects: [{kind: ServiceAccount, name: vertlet, namespace: vertlet-system}]
      """;

  @TempDir private Path folder;

  private void apply(TestCluster cluster, String name, String yaml) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, yaml);
    cluster.kubectl("apply", "-f", file.toString());
    cluster.closeAfterTest(
        () -> cluster.kubectl("delete", "--ignore-not-found", "-f", file.toString()));
  }

  private AgentProcess agent(TestCluster cluster, String nodes, Path stages) throws IOException {
    return agent(cluster, nodes, "{\"files\": [\"%s\"]}".formatted(stages.toAbsolutePath()));
  }

  private AgentProcess agent(TestCluster cluster, String nodes, String stages) throws IOException {
    Path config = folder.resolve("vertlet.json");
    Files.writeString(
        config,
        """
        {"nodes": [%s], "stages": %s,
         "server": {"portRange": 0, "healthzPort": 0}}
        """
            .formatted(nodes, stages));
    return cluster.agent(AgentProcess.Setup.of(folder, config, cluster.agentKubeconfig()));
  }

  @Test
  @Tag("G03")
  @Tag("G06")
  void aKindThatComesLaterGoesThroughItsStagesInOrder(TestCluster cluster) throws IOException {
    Path stages = folder.resolve("stages.yaml");
    Files.writeString(stages, STAGES);
    AgentProcess agent =
        agent(cluster, "{\"name\": \"stages-it-{i}\", \"provider\": \"simulated\"}", stages);
    eventually(() -> assertThat(agent.log()).contains("does not have the kind"));

    apply(cluster, "definition.yaml", DEFINITION);
    eventually(
        () ->
            assertThat(agent.log())
                .contains("lacks the permissions [list batches, patch batches/status"));
    apply(cluster, "role.yaml", ROLE);
    String objects =
        IntStream.range(0, OBJECTS)
            .mapToObj(
                i ->
                    """
                    apiVersion: stages.vertlet.dev/v1
                    kind: Batch
                    metadata: {name: b%d, annotations: {delay: %dms}}
                    """
                        .formatted(i, 20 * i))
            .collect(Collectors.joining("---\n"));
    Path file = folder.resolve("objects.yaml");
    Files.writeString(file, objects);
    cluster.kubectl("apply", "-f", file.toString());

    List<String> expected = IntStream.range(0, OBJECTS).mapToObj(i -> "Completed").toList();
    eventually(() -> assertThat(phases(cluster)).isEqualTo(expected));
    assertThat(cluster.kubectl("get", "batches", "-o", "jsonpath={.items[*].status.history}"))
        .isEqualTo(
            IntStream.range(0, OBJECTS)
                .mapToObj(i -> "[\"Pending\",\"Running\",\"Completed\"]")
                .collect(Collectors.joining(" ")));
  }

  private static List<String> phases(TestCluster cluster) {
    String phases = cluster.kubectl("get", "batches", "-o", "jsonpath={.items[*].status.phase}");
    return List.of(phases.split(" "));
  }

  @Test
  @Tag("G02")
  void nodesBecomeReadyAndPodsLive(TestCluster cluster) throws IOException {
    cluster.grant(Path.of("..", "..", "k8s", "manifests", "base", "stages").toAbsolutePath());
    AgentProcess agent =
        agent(
            cluster,
            "{\"name\": \"staged-it-{i}\", \"provider\": \"stages\","
                + " \"podCIDR\": \"10.77.0.0/24\"}",
            EXAMPLES);
    eventually(() -> assertThat(cluster.isReady("staged-it-0")).isTrue());
    for (int i = 0; i < 10; i++) {
      cluster.create("p" + i, "staged-it-0");
    }
    eventually(
        () -> {
          for (int i = 0; i < 10; i++) {
            Pod pod = cluster.pods().get("p" + i);
            assertThat(pod.getStatus().getPhase()).isIn("Running", "Failed");
          }
        });
    List<String> ips =
        IntStream.range(0, 10)
            .mapToObj(i -> cluster.pods().get("p" + i).getStatus())
            .filter(status -> status.getPhase().equals("Running"))
            .map(status -> status.getPodIP())
            .toList();
    assertThat(ips).isNotEmpty().doesNotHaveDuplicates();
    cluster.pods().deleteAll();
    eventually(() -> assertThat(cluster.kubectl("get", "pods")).isEmpty());
    assertThat(agent.log()).doesNotContain("Exception", "forbidden");
  }

  private static String batchStage(String name, String spec) {
    return """
        apiVersion: kwok.x-k8s.io/v1alpha1
        kind: Stage
        metadata: {name: %s}
        spec:
          resourceRef: {apiGroup: stages.vertlet.dev/v1, kind: Batch}
          selector:
            matchExpressions:
            - {key: .status.phase, operator: DoesNotExist}
        %s
        """
        .formatted(name, spec.indent(2));
  }

  private void batch(TestCluster cluster, String name) throws IOException {
    apply(
        cluster,
        name + ".yaml",
        """
        apiVersion: stages.vertlet.dev/v1
        kind: Batch
        metadata: {name: %s}
        """
            .formatted(name));
  }

  private static void phase(TestCluster cluster, String batch, String phase) {
    eventually(() -> assertThat(cluster.field("batch", batch, "{.status.phase}")).isEqualTo(phase));
  }

  @Test
  @Tag("G06")
  void followsTheStageObjectsOfTheCluster(TestCluster cluster) throws IOException {
    apply(cluster, "definition.yaml", DEFINITION);
    apply(cluster, "stage-definition.yaml", STAGE_DEFINITION);
    apply(
        cluster,
        "role.yaml",
        STAGE_ROLE.formatted(
            "- {apiGroups: [stages.vertlet.dev], resources: [batches/status], verbs: [patch]}"));
    apply(
        cluster,
        "broken.yaml",
        batchStage("broken", "delay: {durationFrom: {expressionFrom: '.['}}"));
    apply(cluster, "stage.yaml", batchStage("begin", "next: {statusTemplate: 'phase: First'}"));
    AgentProcess agent =
        agent(
            cluster,
            "{\"name\": \"stage-objects-{i}\", \"provider\": \"simulated\"}",
            "{\"fromCluster\": true}");

    batch(cluster, "first");
    phase(cluster, "first", "First");
    assertThat(agent.log()).contains("broken");

    apply(cluster, "stage.yaml", batchStage("begin", "next: {statusTemplate: 'phase: Second'}"));
    // the change reaches the agent some time after the API server has it
    AtomicInteger number = new AtomicInteger();
    eventually(
        () -> {
          String name = "second-" + number.incrementAndGet();
          batch(cluster, name);
          eventually(
              () ->
                  assertThat(cluster.field("batch", name, "{.status.phase}"))
                      .isIn("First", "Second"));
          assertThat(cluster.field("batch", name, "{.status.phase}")).isEqualTo("Second");
        });

    cluster.kubectl("delete", "stage", "begin");
    eventually(() -> assertThat(agent.log()).contains("no more stages of"));
  }

  /** The agent itself may not write the status: only as the user of the patch it may. */
  @Test
  void patchesAsTheUserThatTheStageNames(TestCluster cluster) throws IOException {
    apply(cluster, "definition.yaml", DEFINITION);
    apply(cluster, "stage-definition.yaml", STAGE_DEFINITION);
    apply(
        cluster,
        "role.yaml",
        STAGE_ROLE.formatted(
            "- {apiGroups: [\"\"], resources: [users], resourceNames: [batch-writer],"
                + " verbs: [impersonate]}"));
    apply(
        cluster,
        "writer.yaml",
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: vertlet-batch-writer-it}
        rules: [{apiGroups: [stages.vertlet.dev], resources: [batches/status], verbs: [patch]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: vertlet-batch-writer-it}
        roleRef:
          {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: vertlet-batch-writer-it}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: batch-writer}]
        """);
    apply(
        cluster,
        "stage.yaml",
        batchStage(
            "begin",
            """
            next:
              patches:
              - subresource: status
                root: status
                template: 'phase: Written'
                impersonation: {username: batch-writer}
            """));
    agent(
        cluster,
        "{\"name\": \"stage-users-{i}\", \"provider\": \"simulated\"}",
        "{\"fromCluster\": true}");

    batch(cluster, "first");

    phase(cluster, "first", "Written");
  }
}
