package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.container;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The shipped manifests, judged by a real API server and its controllers. */
@ClusterTest(controllers = true)
class ManifestsIT {

  @TempDir private Path folder;

  static List<Arguments> kustomizations() {
    return List.of(
        Arguments.of(Manifests.BASE, List.of("DaemonSet", "NetworkPolicy")),
        Arguments.of(Manifests.DAEMON_SET, List.of("DaemonSet", "NetworkPolicy")),
        Arguments.of(Manifests.CRI, List.of("DaemonSet", "NetworkPolicy")),
        Arguments.of(
            Manifests.LOAD_TEST, List.of("Deployment", "PodDisruptionBudget", "NetworkPolicy")));
  }

  @ParameterizedTest
  @MethodSource("kustomizations")
  void theApiServerTakesEveryObject(
      Path kustomization, List<String> workload, TestCluster cluster) {
    List<HasMetadata> objects = render(cluster, kustomization);

    // strict: a misspelt field is an error, not a warning
    String taken =
        cluster
            .controlPlane()
            .kubectl(
                "apply", "-k", kustomization.toString(), "--dry-run=server", "--validate=strict");

    assertThat(taken.lines())
        .hasSameSizeAs(objects)
        .allMatch(line -> line.endsWith("(server dry run)"));
    assertThat(objects)
        .extracting(HasMetadata::getKind)
        .contains("Namespace", "ServiceAccount", "ClusterRole", "Role", "ConfigMap")
        .containsAll(workload);
  }

  @Test
  void theApiServerTakesTheRightOfStaticPods(TestCluster cluster) {
    assertThat(
            cluster
                .controlPlane()
                .kubectl(
                    "apply",
                    "-k",
                    Manifests.STATIC_PODS.toString(),
                    "--dry-run=server",
                    "--validate=strict"))
        .contains(
            "clusterrole.rbac.authorization.k8s.io/vertlet-static-pods",
            "clusterrolebinding.rbac.authorization.k8s.io/vertlet-static-pods");
  }

  /** The namespace is not there, so nothing of it is created even on trial. */
  @Test
  void theSandboxServerHasWhatItsConfigurationNames(TestCluster cluster) {
    List<HasMetadata> objects = render(cluster, Manifests.SANDBOX_OVERLAY);
    Container server =
        Manifests.of(Deployment.class, objects)
            .get(0)
            .getSpec()
            .getTemplate()
            .getSpec()
            .getContainers()
            .get(0);
    JsonObject api =
        new JsonObject(Manifests.of(ConfigMap.class, objects).get(0).getData().get("sandbox.json"))
            .getJsonObject("api");

    assertThat(api.getString("tlsCertFile")).startsWith(mountPath(server, "tls") + "/");
    assertThat(api.getString("tlsPrivateKeyFile")).startsWith(mountPath(server, "tls") + "/");
    assertThat(List.of(server.getReadinessProbe(), server.getLivenessProbe()))
        .allMatch(probe -> probe.getHttpGet().getScheme().equals("HTTPS"));
    assertThat(Manifests.of(NetworkPolicy.class, objects))
        .singleElement()
        .extracting(policy -> policy.getSpec().getPodSelector().getMatchLabels())
        .isEqualTo(
            Manifests.of(Deployment.class, objects)
                .get(0)
                .getSpec()
                .getSelector()
                .getMatchLabels());
  }

  @Test
  void theNetworkPolicyIsForThePodsOfBothOverlays(TestCluster cluster) {
    for (Path overlay : List.of(Manifests.DAEMON_SET, Manifests.LOAD_TEST)) {
      List<HasMetadata> objects = render(cluster, overlay);
      Stream<PodTemplateSpec> templates =
          Stream.concat(
              Manifests.of(DaemonSet.class, objects).stream().map(s -> s.getSpec().getTemplate()),
              Manifests.of(Deployment.class, objects).stream().map(d -> d.getSpec().getTemplate()));
      assertThat(templates.map(t -> t.getMetadata().getLabels().get("app.kubernetes.io/name")))
          .isNotEmpty()
          .allMatch(
              Manifests.of(NetworkPolicy.class, objects)
                      .get(0)
                      .getSpec()
                      .getPodSelector()
                      .getMatchExpressions()
                      .get(0)
                      .getValues()
                  ::contains);
    }
  }

  @Test
  void theInitContainerIsTheAgentsOwnImageWithOneCapability(TestCluster cluster) {
    PodSpec spec = podSpec(render(cluster, Manifests.DAEMON_SET));

    assertThat(spec.getInitContainers())
        .singleElement()
        .satisfies(
            init -> {
              assertThat(init.getImage()).isEqualTo(spec.getContainers().get(0).getImage());
              assertThat(init.getSecurityContext().getCapabilities().getAdd())
                  .containsExactly("CHOWN");
              assertThat(init.getArgs())
                  .containsExactly(
                      "data-dir",
                      "--owner",
                      String.valueOf(spec.getSecurityContext().getRunAsUser()),
                      mountPath(init, "data"));
            });
  }

  @Test
  void anAgentRunsOnMachinesAndNeverOnVirtualNodes(TestCluster cluster) {
    cluster.agent(
        cluster
            .agentSetup(folder, "virtual")
            // without one, only the affinity keeps it off
            .with("--set", "nodes.0.taints=[]"));
    assertThat(labels(cluster, "virtual0")).containsEntry("kubernetes.io/os", "linux");
    createMachine(cluster, "other-machine", "windows");
    // the last, so that a controller that knows it knows all
    createMachine(cluster, "machine", "linux");

    DaemonSet shipped = Manifests.of(DaemonSet.class, apply(cluster)).get(0);

    eventually(
        () -> {
          List<String> targets = targets(cluster, shipped);
          assertThat(targets).contains("machine").doesNotContain("virtual0", "other-machine");
          // the controller has made a pod for each node that it counted
          assertThat(
                  cluster.client().resource(shipped).get().getStatus().getDesiredNumberScheduled())
              .isEqualTo(targets.size());
        });
  }

  @Test
  void whatTheDaemonSetRunsGetsReadyAndServesTheNodeNamedAfterItsHost(TestCluster cluster)
      throws IOException {
    List<HasMetadata> objects = render(cluster, Manifests.DAEMON_SET);
    AgentProcess agent =
        start(
            cluster,
            objects,
            podSpec(objects).getContainers().get(0),
            Map.of("spec.nodeName", "host-a"),
            Map.of());

    agent.awaitReady();
    assertThat(cluster.lease("host-a-v0").getMetadata().getAnnotations())
        .containsEntry("vertlet.dev/agent", "host-a");
    // what the JVM or the logging says about options it was given wrongly
    assertThat(agent.log())
        .contains("Picked up JDK_JAVA_OPTIONS")
        .doesNotContain("WARNING:", "[warning]", "SLF4J");
  }

  /** Runs the container's command with its environment and its ConfigMap, as the kubelet would. */
  private AgentProcess start(
      TestCluster cluster,
      List<HasMetadata> objects,
      Container container,
      Map<String, String> fields,
      Map<String, String> more)
      throws IOException {
    Path mounted = writeConfigMap(objects);
    // the mount as its own file system has it
    String mountPath = mountPath(container, "config");
    Map<String, String> environment = new HashMap<>(more);
    for (EnvVar variable : container.getEnv()) {
      environment.put(
          variable.getName(),
          variable.getValueFrom() == null
              ? variable.getValue().replace(mountPath, mounted.toString())
              : field(fields, variable.getValueFrom().getFieldRef().getFieldPath()));
    }
    List<String> arguments = container.getArgs();
    assertThat(arguments).startsWith("agent", "--config").hasSize(3);
    Path config = Path.of(arguments.get(2).replace(mountPath, mounted.toString()));
    return cluster.closeAfterTest(
        AgentProcess.Setup.of(folder, config, cluster.agentKubeconfig())
            .withEnvironment(environment)
            .start());
  }

  @Test
  void whatTheDeploymentRunsGetsReadyAsOneOfSeveralNamedAfterItsPod(TestCluster cluster)
      throws IOException {
    cluster.grant(Manifests.REPLICAS);
    List<HasMetadata> objects = render(cluster, Manifests.LOAD_TEST);
    Deployment deployment = Manifests.of(Deployment.class, objects).get(0);
    PodSpec spec = deployment.getSpec().getTemplate().getSpec();

    AgentProcess agent =
        start(
            cluster,
            objects,
            spec.getContainers().get(0),
            Map.of("metadata.name", "pod-a"),
            // of its ServiceAccount, which a process outside of a pod has not
            Map.of("VERTLET_REPLICAS_NAMESPACE", "vertlet-system"));

    agent.awaitReady();
    assertThat(cluster.lease("load-299").getMetadata().getAnnotations())
        .containsEntry("vertlet.dev/agent", "pod-a");
    assertThat(
            cluster
                .client()
                .leases()
                .inNamespace("vertlet-system")
                .withName("vertlet-load-test-pod-a")
                .get())
        .isNotNull();
    assertThat(agent.log()).doesNotContain("WARNING:", "[warning]", "SLF4J");
  }

  @Test
  void theBudgetCountsTheDeploymentsPods(TestCluster cluster) {
    List<HasMetadata> objects = render(cluster, Manifests.LOAD_TEST);
    Deployment deployment = Manifests.of(Deployment.class, objects).get(0);
    PodDisruptionBudget budget = Manifests.of(PodDisruptionBudget.class, objects).get(0);
    Map<String, String> labels = deployment.getSpec().getTemplate().getMetadata().getLabels();

    assertThat(budget.getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
    assertThat(deployment.getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
    // the DaemonSet's pods may be in the same namespace
    assertThat(labels)
        .isNotEqualTo(
            Manifests.of(DaemonSet.class, render(cluster, Manifests.DAEMON_SET))
                .get(0)
                .getSpec()
                .getSelector()
                .getMatchLabels());
  }

  @Test
  void theAgentsContainerPassesTheRestrictedPodSecurityStandard(TestCluster cluster) {
    PodSpec spec = podSpec(render(cluster, Manifests.DAEMON_SET));
    cluster
        .client()
        .namespaces()
        .withName(cluster.namespace())
        .patch(
            TestCluster.MERGE,
            "{\"metadata\": {\"labels\": {\"pod-security.kubernetes.io/enforce\":"
                + " \"restricted\"}}}");
    awaitRefusalOfPrivilege(cluster);
    // without what hands the host's directory over
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("agent")
            .withNamespace(cluster.namespace())
            .endMetadata()
            .withSpec(spec)
            .editSpec()
            .withInitContainers()
            .withServiceAccountName("default")
            .editMatchingVolume(volume -> volume.getName().equals("data"))
            .withHostPath(null)
            .withNewEmptyDir()
            .endEmptyDir()
            .endVolume()
            .endSpec()
            .build();

    Pod created = cluster.client().resource(pod).create();

    assertThat(created.getMetadata().getUid()).isNotEmpty();
    Pod replica =
        new PodBuilder()
            .withNewMetadata()
            .withName("replica")
            .withNamespace(cluster.namespace())
            .endMetadata()
            .withSpec(
                Manifests.of(Deployment.class, render(cluster, Manifests.LOAD_TEST))
                    .get(0)
                    .getSpec()
                    .getTemplate()
                    .getSpec())
            .editSpec()
            .withServiceAccountName("default")
            .endSpec()
            .build();
    // as it is: it has nothing of the host
    assertThat(cluster.client().resource(replica).create().getMetadata().getUid()).isNotEmpty();
  }

  /** The API server learns of a namespace's labels a moment after it has taken them. */
  private static void awaitRefusalOfPrivilege(TestCluster cluster) {
    Pod privileged =
        container("securityContext: {privileged: true}")
            .apply(TestPods.template("privileged", ""))
            .build();
    privileged.getSpec().setNodeName(null);
    privileged.getMetadata().setNamespace(cluster.namespace());
    eventually(
        () ->
            assertThatThrownBy(() -> cluster.client().resource(privileged).dryRun().create())
                .hasMessageContaining("violates PodSecurity \"restricted"));
  }

  private static List<HasMetadata> render(TestCluster cluster, Path kustomization) {
    return Manifests.render(cluster.controlPlane(), cluster.client(), kustomization);
  }

  private static PodSpec podSpec(List<HasMetadata> objects) {
    return Manifests.of(DaemonSet.class, objects).get(0).getSpec().getTemplate().getSpec();
  }

  /**
   * Creates what one agent per machine needs in the test's own namespace, where it ends with the
   * test, and with a toleration of every taint, so that the affinity alone decides.
   */
  private static List<HasMetadata> apply(TestCluster cluster) {
    return render(cluster, Manifests.DAEMON_SET).stream()
        .filter(
            object ->
                Stream.of(ServiceAccount.class, ConfigMap.class, DaemonSet.class)
                    .anyMatch(kind -> kind.isInstance(object)))
        .map(
            object -> {
              object.getMetadata().setNamespace(cluster.namespace());
              return object instanceof DaemonSet set ? tolerant(set) : object;
            })
        .map(object -> cluster.client().resource(object).create())
        .toList();
  }

  private static HasMetadata tolerant(DaemonSet set) {
    return new DaemonSetBuilder(set)
        .editSpec()
        .editTemplate()
        .editSpec()
        .addNewToleration()
        .withOperator("Exists")
        .endToleration()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  private static Map<String, String> labels(TestCluster cluster, String node) {
    return cluster.node(node).getMetadata().getLabels();
  }

  private static void createMachine(TestCluster cluster, String name, String system) {
    cluster.createAll(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: %s, labels: {kubernetes.io/os: %s}}
        status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
        """
            .formatted(name, system));
    cluster.closeAfterTest(() -> cluster.client().nodes().withName(name).delete());
  }

  /** The nodes for which the controller has made pods, whether they are bound yet or not. */
  private static List<String> targets(TestCluster cluster, DaemonSet set) {
    return cluster.pods().list().stream()
        .filter(
            pod ->
                pod.getMetadata().getOwnerReferences().stream()
                    .anyMatch(owner -> owner.getUid().equals(set.getMetadata().getUid())))
        .flatMap(
            pod ->
                pod
                    .getSpec()
                    .getAffinity()
                    .getNodeAffinity()
                    .getRequiredDuringSchedulingIgnoredDuringExecution()
                    .getNodeSelectorTerms()
                    .stream())
        .flatMap(term -> term.getMatchFields().stream())
        .filter(field -> field.getKey().equals("metadata.name"))
        .flatMap(field -> field.getValues().stream())
        .toList();
  }

  /** Writes the files of the ConfigMap as the kubelet would mount them. Returns the folder. */
  private Path writeConfigMap(List<HasMetadata> objects) throws IOException {
    ConfigMap map = Manifests.of(ConfigMap.class, objects).get(0);
    Path mounted = Files.createDirectory(folder.resolve("etc"));
    for (Map.Entry<String, String> file : map.getData().entrySet()) {
      Files.writeString(mounted.resolve(file.getKey()), file.getValue());
    }
    return mounted;
  }

  private static String mountPath(Container container, String volume) {
    return container.getVolumeMounts().stream()
        .filter(mount -> mount.getName().equals(volume))
        .findFirst()
        .orElseThrow()
        .getMountPath();
  }

  private static String field(Map<String, String> fields, String path) {
    return Objects.requireNonNull(fields.get(path), () -> "no " + path + " in " + fields);
  }
}
