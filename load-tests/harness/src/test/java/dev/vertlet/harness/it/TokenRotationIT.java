package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of pods are replaced while their agents run, and the old ones end. */
@ClusterTest
class TokenRotationIT {

  @TempDir private Path folder;

  @Test
  void anAgentWhoseTokenEndsGoesOnWithTheOneThatReplacedItInTheFile(TestCluster cluster)
      throws Exception {
    Secret life = createSecret(cluster);
    String first = cluster.agentAccess().token(life);
    assertThat(accepted(cluster, first)).isTrue();
    Path file = Files.writeString(folder.resolve("token"), first);
    Path kubeconfig =
        cluster.agentAccess().writeKubeconfig(folder.resolve("agent.kubeconfig"), file);
    AgentProcess agent =
        cluster.agent(
            AgentProcess.Setup.ofNodes(folder, "rotated", 1, kubeconfig)
                .with("--set", "lease.renewInterval=1s"));
    PodRecorder recorder = cluster.recordPods();

    // as kubelets replace a projected token: in one step
    Path next = Files.writeString(folder.resolve("next"), cluster.agentAccess().token(null));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    cluster.client().resource(life).delete();
    // the API server remembers for some seconds that a token was good
    await().until(() -> !accepted(cluster, first));

    cluster.create("p", "rotated0");
    eventually(() -> assertThat(recorder.ready()).hasSize(1));
    assertThat(agent.metric("rest_client_credential_refreshes_total")).isPositive();
    assertThat(agent.ready()).isTrue();
    assertThat(agent.log()).doesNotContain("refuses our credentials", "lease lost");
  }

  private static Secret createSecret(TestCluster cluster) {
    Secret secret =
        new SecretBuilder()
            .withNewMetadata()
            .withName(cluster.namespace())
            .withNamespace(AgentAccess.NAMESPACE)
            .endMetadata()
            .build();
    Secret created = cluster.client().resource(secret).create();
    cluster.closeAfterTest(() -> cluster.client().resource(created).delete());
    return created;
  }

  private static boolean accepted(TestCluster cluster, String token) {
    TokenReview question =
        new TokenReviewBuilder().withNewSpec().withToken(token).endSpec().build();
    Boolean answer =
        cluster.client().tokenReviews().create(question).getStatus().getAuthenticated();
    return Boolean.TRUE.equals(answer);
  }
}
