package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.certificates.v1.CertificateSigningRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An API server that talks to no kubelet whose certificate its authority has not issued, and the
 * controller that issues them. Paths are of the control plane's directory.
 */
@ClusterTest(
    own = true,
    controllers = true,
    apiServerFlags = "--kubelet-certificate-authority=pki/ca.crt",
    controllerManagerFlags = {
      "--cluster-signing-cert-file=pki/ca.crt",
      "--cluster-signing-key-file=pki/ca.key"
    })
class ServingCertificateIT {
  private static final String SIGNER = "kubernetes.io/kubelet-serving";
  private static final String WAITS = "waits for approval";
  private static final String UNKNOWN = "x509: certificate signed by unknown authority";

  @TempDir private Path dir;

  private KubectlRuns kubectl(TestCluster cluster) {
    return new KubectlRuns(
        cluster.controlPlane().kubectlProgram(), cluster.kubeconfig(), cluster.namespace(), dir);
  }

  /** An agent with one node, {@code name0}, and a pod on it that runs. */
  private AgentProcess agent(TestCluster cluster, String name, boolean bootstrap) throws Exception {
    AgentProcess agent =
        cluster.agent(
            cluster
                .agentSetup(Files.createDirectory(dir.resolve(name)), name)
                .with("--set", "server.portRange=0", "--set", "server.healthzPort=0")
                .with("--set", "server.tls.serverTLSBootstrap=" + bootstrap));
    cluster.create(name, name + "0");
    kubectl(cluster).output("wait", "--for=condition=Ready", "pod/" + name, KubectlRuns.LIMIT);
    return agent;
  }

  private static List<String> requests(TestCluster cluster) {
    return cluster
        .client()
        .certificates()
        .v1()
        .certificateSigningRequests()
        .list()
        .getItems()
        .stream()
        .filter(request -> request.getSpec().getSignerName().equals(SIGNER))
        .map(ServingCertificateIT::name)
        .toList();
  }

  private static String name(CertificateSigningRequest request) {
    return request.getMetadata().getName();
  }

  @Test
  void aNodeIsReachedOnceItsCertificateWasApproved(TestCluster cluster) throws Exception {
    cluster.controlPlane().kubectl("apply", "-k", Manifests.SERVING_CERTIFICATES.toString());
    AgentProcess agent = agent(cluster, "issued", true);
    KubectlRuns kubectl = kubectl(cluster);
    await().until(() -> agent.log().contains(WAITS));
    List<String> waiting = requests(cluster);
    assertThat(waiting).hasSize(1);

    // what serves meanwhile is no authority's: refused at once, by a node that said once why
    assertThat(kubectl.error("logs", "issued")).contains(UNKNOWN);
    assertThat(kubectl.error("logs", "issued")).contains(UNKNOWN);
    assertThat(agent.log()).containsOnlyOnce(WAITS);

    kubectl.output("certificate", "approve", waiting.get(0));
    await().until(() -> agent.log().contains("serving certificate issued by " + waiting.get(0)));

    assertThat(kubectl.output("logs", "issued")).startsWith("container ");
    for (Wire wire : Wire.values()) {
      assertThat(kubectl.run(wire, "exec", "issued", "--", "sh", "-c", "exit 3").exitCode())
          .as("%s", wire)
          .isEqualTo(3);
    }
    assertThat(agent.metric("kubelet_certificate_manager_server_ttl_seconds")).isPositive();
    assertThat(requests(cluster)).isEqualTo(waiting);
  }

  @Test
  void aNodeThatMadeItsCertificateItselfIsNotTrusted(TestCluster cluster) throws Exception {
    agent(cluster, "own", false);

    assertThat(kubectl(cluster).error("logs", "own")).contains(UNKNOWN);
  }
}
