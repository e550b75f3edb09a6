package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.harness.fault.FaultProxy;
import dev.vertlet.harness.loopback.Kubeconfig;
import dev.vertlet.testsupport.FullRing;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The API server comes back with another certificate while an agent runs. */
@ClusterTest
@ExtendWith(VertxExtension.class)
class AuthorityChangeIT {
  private static final String NODE = "trusting0";
  private static final int PODS = 5;
  private static final String UNTRUSTED = "not signed by the configured certificate authority";
  private static final String LEASE_LOST = "lease lost; the node is served no longer";

  @TempDir private Path folder;

  @FullRing
  @Test
  void onlyAnAuthorityThatIsNotInTheFileIsNoticedAndNotForLonger(TestCluster cluster, Vertx vertx)
      throws Exception {
    CertificateAuthority first = authority();
    CertificateAuthority second = authority();
    CertificateAuthority third = authority();
    FaultProxy proxy =
        get(FaultProxy.start(vertx, cluster.agentKubeconfig(), folder, new Random(1)));
    show(proxy, first);
    trust(first.certificatePem() + second.certificatePem());
    AgentProcess agent =
        cluster.agent(
            AgentProcess.Setup.ofNodes(folder, "trusting", 1, kubeconfig(proxy))
                .with("--set", "lease.duration=20s"));
    PodRecorder recorder = cluster.recordPods();
    cluster.pods().createMany("p", NODE, PODS);
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS));

    // another certificate of the same authority, then one of the other authority in the file
    for (CertificateAuthority known : List.of(first, second)) {
      double connections = agent.metric("rest_client_connections_opened_total");
      show(proxy, known);
      await().until(() -> agent.metric("rest_client_connections_opened_total") >= connections + 2);
      assertThat(agent.ready()).isTrue();
    }
    cluster.create("between", NODE);
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS + 1));
    assertThat(agent.log()).doesNotContain(UNTRUSTED, LEASE_LOST);

    show(proxy, third);
    eventually(() -> assertThat(agent.log()).contains(LEASE_LOST));
    assertThat(agent.log()).containsPattern("is unreachable: .*" + UNTRUSTED + ".*; trying again");
    assertThat(agent.status("/readyz")).isEqualTo(503);
    assertThat(agent.status("/healthz")).isEqualTo(200);

    trust(third.certificatePem());
    eventually(() -> assertThat(agent.ready()).as(agent.log()).isTrue());
    cluster.create("last", NODE);
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS + 2));
    assertThat(recorder.violations()).isEmpty();
    assertThat(agent.metric("vertlet_simulated_container_starts_total")).isEqualTo(PODS + 2);
  }

  /** Of one name, as tools that make clusters call all of theirs. */
  private static CertificateAuthority authority() {
    return CertificateAuthority.create("kubernetes", Clock.systemUTC());
  }

  /** As a server that is started again: nobody is left on a connection of before. */
  private static void show(FaultProxy proxy, CertificateAuthority authority) throws Exception {
    get(
        proxy
            .show(
                authority.issueServer("kube-apiserver", List.of("localhost"), List.of("127.0.0.1")))
            .compose(shown -> proxy.cutAll()));
  }

  private void trust(String authorities) throws Exception {
    Path next = Files.writeString(folder.resolve("next.crt"), authorities);
    Files.move(next, folder.resolve("ca.crt"), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path kubeconfig(FaultProxy proxy) throws Exception {
    String yaml =
        Files.readString(proxy.kubeconfig())
            .replaceFirst("certificate-authority-data: [^}]*", "certificate-authority: ca.crt");
    return Kubeconfig.writeSecret(folder.resolve("agent.kubeconfig"), yaml);
  }
}
