package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.container;
import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kubelet C30: pods whose containers refer to ConfigMaps and Secrets, on a real API server. */
@ClusterTest
@Tag("C30")
class EnvironmentIT {
  private static final String NODE = "configured0";

  @TempDir private Path folder;

  @Test
  void aPodWhoseConfigMapIsMissingSaysSoAndRunsOnceItIsThere(TestCluster cluster) {
    cluster.agent(folder, "configured");
    cluster.create("p", NODE, container("envFrom: [{configMapRef: {name: settings}}]"));

    eventually(
        () ->
            assertThat(cluster.kubectl("describe", "pod", "p"))
                .containsPattern("Status: +Pending")
                .containsPattern("Reason: +CreateContainerConfigError")
                .containsPattern(
                    "Warning +Failed +\\S+( \\(.*\\))? +kubelet"
                        + " +spec\\.containers\\{main}: Error: configmap \"settings\" not"
                        + " found"));
    assertThat(cluster.kubectl("get", "pod", "p"))
        .containsPattern("p +0/1 +CreateContainerConfigError +0");
    assertThat(waiting(cluster, "p", "message")).isEqualTo("configmap \"settings\" not found");

    cluster.kubectl("create", "configmap", "settings", "--from-literal=colour=red");

    cluster.kubectl("wait", "--for=condition=Ready", "pod/p", KubectlRuns.LIMIT);
    assertThat(cluster.kubectl("get", "pod", "p")).containsPattern("p +1/1 +Running +0");
  }

  @Test
  void aSecretWithoutTheKeyThatAPodNamesHoldsItUpUntilTheKeyIsThere(TestCluster cluster) {
    cluster.grant(Manifests.SECRETS);
    cluster.agent(cluster.agentSetup(folder, "configured").with("--set", "pods.checkSecrets=true"));
    create(cluster, secret("other"));
    cluster.create(
        "p",
        NODE,
        container("env: [{name: TOKEN, valueFrom: {secretKeyRef: {name: hidden, key: token}}}]"));
    String expected = "couldn't find key token in Secret " + cluster.namespace() + "/hidden";
    eventually(() -> assertThat(waiting(cluster, "p", "message")).isEqualTo(expected));
    assertThat(waiting(cluster, "p", "reason")).isEqualTo("CreateContainerConfigError");

    cluster.client().resource(secret("token")).inNamespace(cluster.namespace()).update();

    cluster.kubectl("wait", "--for=condition=Ready", "pod/p", KubectlRuns.LIMIT);
  }

  @Test
  void aPodWhoseVolumeIsMissingIsNotStartedBeforeItIsThere(TestCluster cluster) {
    cluster.agent(folder, "configured");
    cluster.create("p", NODE, spec("volumes: [{name: config, configMap: {name: settings}}]"));

    eventually(
        () ->
            assertThat(cluster.kubectl("describe", "pod", "p"))
                .containsPattern("Status: +Pending")
                .containsPattern("Reason: +ContainerCreating")
                .containsPattern(
                    "Warning +FailedMount +\\S+( \\(.*\\))? +kubelet +MountVolume\\.SetUp failed"
                        + " for volume \"config\" : configmap \"settings\" not found"));

    cluster.kubectl("create", "configmap", "settings", "--from-literal=colour=red");

    cluster.kubectl("wait", "--for=condition=Ready", "pod/p", KubectlRuns.LIMIT);
  }

  private static HasMetadata secret(String key) {
    return new SecretBuilder()
        .withNewMetadata()
        .withName("hidden")
        .endMetadata()
        .addToStringData(key, "hush")
        .build();
  }

  private static void create(TestCluster cluster, HasMetadata object) {
    cluster.client().resource(object).inNamespace(cluster.namespace()).create();
  }

  private static String waiting(TestCluster cluster, String pod, String field) {
    return cluster.field("pod", pod, "{.status.containerStatuses[0].state.waiting." + field + "}");
  }
}
