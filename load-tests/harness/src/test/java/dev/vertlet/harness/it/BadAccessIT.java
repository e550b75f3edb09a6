package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.harness.loopback.Kubeconfig;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An API server that does not let the agent in: it says why, keeps trying and is not ready. */
@ClusterTest
class BadAccessIT {

  @TempDir private Path folder;

  @Test
  void anotherCertificateAuthority(TestCluster cluster) throws Exception {
    URI server =
        URI.create(Config.fromKubeconfig(cluster.agentKubeconfig().toFile()).getMasterUrl());
    String ca = CertificateAuthority.create("another", Clock.systemUTC()).certificatePem();
    Path kubeconfig =
        Kubeconfig.withToken(server, ca, "none").writeTo(folder.resolve("agent.kubeconfig"));

    AgentProcess agent = start(cluster, kubeconfig);

    says(
        agent,
        "is unreachable: .*not signed by the configured certificate authority.*; trying again");
  }

  @Test
  void aTokenThatIsNotGood(TestCluster cluster) throws Exception {
    AgentProcess agent = start(cluster, withToken(cluster, "not-a-token"));

    says(agent, "refuses our credentials: .*; trying again");
  }

  @Test
  void aUserWithoutRights(TestCluster cluster) throws Exception {
    cluster
        .client()
        .serviceAccounts()
        .inNamespace(cluster.namespace())
        .resource(
            new ServiceAccountBuilder().withNewMetadata().withName("nobody").endMetadata().build())
        .create();
    TokenRequest granted =
        cluster
            .client()
            .serviceAccounts()
            .inNamespace(cluster.namespace())
            .withName("nobody")
            .tokenRequest(
                new TokenRequestBuilder()
                    .withNewSpec()
                    .withExpirationSeconds(3600L)
                    .endSpec()
                    .build());

    AgentProcess agent = start(cluster, withToken(cluster, granted.getStatus().getToken()));

    says(
        agent,
        "user \"system:serviceaccount:%s:nobody\" may not [a-z]+ nodes in API group \"\"; RBAC must grant it"
            .formatted(cluster.namespace()));
  }

  private static void says(AgentProcess agent, String pattern) {
    eventually(() -> assertThat(agent.log()).containsPattern(pattern));
    assertThat(agent.alive()).isTrue();
    assertThat(agent.status("/readyz")).isEqualTo(503);
  }

  private Path withToken(TestCluster cluster, String token) throws Exception {
    Path file = Files.writeString(folder.resolve("token"), token);
    return cluster.agentAccess().writeKubeconfig(folder.resolve("agent.kubeconfig"), file);
  }

  private AgentProcess start(TestCluster cluster, Path kubeconfig) {
    return cluster.closeAfterTest(
        AgentProcess.Setup.ofNodes(folder, "stranger", 1, kubeconfig).start());
  }
}
