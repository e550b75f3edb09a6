package dev.vertlet.harness.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.harness.it.ClusterTest;
import dev.vertlet.harness.it.TestCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@ClusterTest(own = true)
class ControlPlaneIT {

  @Test
  void kubectlReachesIt(TestCluster cluster) {
    assertThat(cluster.kubectl("get", "--raw", "/readyz")).isEqualTo("ok");
  }

  @Test
  void aFailingKubectlTellsWhatItSaid(TestCluster cluster) {
    assertThatThrownBy(() -> cluster.kubectl("get", "pod", "absent"))
        .isInstanceOf(ControlPlaneException.class)
        .hasMessageContaining("exit code 1")
        .hasMessageContaining("pods \"absent\" not found");
  }

  @Test
  void aClientCertificateIsAsGoodAsAToken(TestCluster cluster) {
    Path withCertificate = cluster.kubeconfig().resolveSibling("kubeconfig-client-certificate");

    try (KubernetesClient client = TestCluster.connect(withCertificate)) {
      assertThat(client.namespaces().withName(cluster.namespace()).get()).isNotNull();
    }
  }

  @Test
  void aKilledApiServerComesBackWithItsData(TestCluster cluster) {
    cluster.pods().create("survivor", "nowhere");

    cluster.controlPlane().killApiServer();
    assertThatThrownBy(() -> cluster.kubectl("get", "--raw", "/readyz"))
        .hasMessageContaining("refused");
    cluster.controlPlane().restartApiServer();

    assertThat(cluster.kubectl("get", "pods", "-o", "name")).isEqualTo("pod/survivor\n");
  }

  @Test
  void aDataDirectoryIsForOneControlPlaneAtATimeAndKeepsItsData(
      TestCluster cluster, @TempDir Path dir) {
    ControlPlaneSource source = ControlPlaneSource.find(System.getenv()).orElseThrow();
    ControlPlaneOptions options =
        ControlPlaneOptions.defaults().withControllers(false).withDataDir(dir);

    try (ControlPlane first = ControlPlane.start(source, options)) {
      first.kubectl("create", "namespace", "kept");
      assertThatThrownBy(() -> ControlPlane.start(source, options))
          .hasMessage(
              "%s is in use by another control plane; give this one a directory of its own", dir);
    }

    try (ControlPlane second = ControlPlane.start(source, options)) {
      assertThat(second.kubectl("get", "namespace", "kept", "-o", "name"))
          .isEqualTo("namespace/kept\n");
    }
  }

  @Test
  void aStartThatFailsShowsTheLogAndLeavesNothingBehind(TestCluster cluster, @TempDir Path dir) {
    ControlPlaneSource source = ControlPlaneSource.find(System.getenv()).orElseThrow();
    ControlPlaneOptions options =
        ControlPlaneOptions.defaults().withDataDir(dir).withApiServerFlags("--no-such-flag");

    assertThatThrownBy(() -> ControlPlane.start(source, options))
        .isInstanceOf(ControlPlaneException.class)
        .hasMessageContaining("kube-apiserver ended instead of becoming ready")
        .hasMessageContaining("unknown flag: --no-such-flag");

    assertThat(processesNaming(dir)).isEmpty();
  }

  @Test
  void anExternalControlPlaneIsUsedButNeverKilled(TestCluster cluster) {
    ControlPlaneSource source = ControlPlaneSource.External.of(cluster.kubeconfig());

    try (ControlPlane external = ControlPlane.start(source, ControlPlaneOptions.defaults())) {
      assertThat(external.kubectl("get", "--raw", "/readyz")).isEqualTo("ok");
      assertThat(external.ownsProcesses()).isFalse();
      assertThatThrownBy(external::killApiServer)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("VERTLET_IT_KUBECONFIG");
    }
    assertThat(cluster.kubectl("get", "--raw", "/readyz")).isEqualTo("ok");
  }

  private static Optional<ProcessHandle> processesNaming(Path dir) {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process
                    .info()
                    .commandLine()
                    .filter(line -> line.contains(dir.toString()))
                    .isPresent())
        .findFirst();
  }
}
