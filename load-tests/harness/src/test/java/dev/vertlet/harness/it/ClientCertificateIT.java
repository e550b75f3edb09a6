package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.certificates.Identity;
import dev.vertlet.harness.loopback.Kubeconfig;
import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/**
 * Agents that the API server knows by certificates that end in seconds. It judges them at each
 * request, over connections that are open as well; only watches go on.
 */
@ClusterTest
class ClientCertificateIT {
  private static final Duration LIFE = Duration.ofSeconds(15);
  private static final Duration REPLACED = Duration.ofSeconds(4);
  private static final int PODS = 5;

  private static final String REFUSED = "refuses our credentials: ";
  private static final String LEASE_LOST = "lease lost; the node is served no longer";
  private static final String REFRESHES = "rest_client_credential_refreshes_total";
  private static final String LISTS = "reflector_lists_total{resource=\"pods\"}";
  private static final String STARTS = "vertlet_simulated_container_starts_total";

  @TempDir private Path folder;

  /** The file's newest certificate is from then. */
  private Instant replaced = Instant.MIN;

  @Test
  @Execution(CONCURRENT)
  void nobodyNoticesOneThatIsReplacedInTime(TestCluster cluster) throws Exception {
    // a busy machine may need longer for a renewal than a short lease has
    AgentProcess agent = start(cluster, "40s");
    awaitReady(cluster, agent);
    PodRecorder recorder = cluster.recordPods();
    cluster.pods().createMany("p", node(cluster), PODS);
    double refreshes = agent.metric(REFRESHES);
    double lists = agent.metric(LISTS);

    await()
        .until(
            () -> {
              keepValid(cluster);
              return agent.metric(REFRESHES) >= refreshes + 1;
            });

    replace(cluster, Waits.LONG);
    cluster.create("last", node(cluster));
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS + 1));
    assertThat(agent.ready()).isTrue();
    assertThat(agent.log()).doesNotContain(REFUSED, LEASE_LOST);
    assertThat(recorder.violations()).isEmpty();
    assertThat(agent.metric(LISTS)).isEqualTo(lists);
    // each is a request that was sent again, over a new connection
    assertThat(agent.metric("rest_client_requests_total", "code=\"401\"")).isPositive();
  }

  @FullRing
  @Test
  @Execution(CONCURRENT)
  void oneThatIsReplacedTooLateLeavesPodsAlone(TestCluster cluster) throws Exception {
    AgentProcess agent = start(cluster, "4s");
    awaitReady(cluster, agent);
    PodRecorder recorder = cluster.recordPods();
    cluster.pods().createMany("p", node(cluster), PODS);
    eventually(
        () -> {
          keepValid(cluster);
          assertThat(recorder.ready()).hasSize(PODS);
        });
    double starts = agent.metric(STARTS);

    // a busy machine may lose the lease before the certificate ends
    eventually(
        () ->
            assertThat(agent.log())
                .containsPattern(REFUSED + ".*401 Unauthorized.*; trying again"));
    eventually(() -> assertThat(agent.log()).contains(LEASE_LOST));
    eventually(() -> assertThat(agent.status("/readyz")).isEqualTo(503));
    assertThat(agent.status("/healthz")).isEqualTo(200);
    // pauses double from 1 s on, and requests that are refused meanwhile are counted only
    assertThat(agent.log().lines().filter(line -> line.contains(REFUSED))).hasSizeLessThan(10);

    replace(cluster, Waits.LONG);

    agent.awaitReady();
    cluster.create("last", node(cluster));
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS + 1));
    assertThat(agent.log()).contains("accepts the credentials again");
    assertThat(recorder.violations()).isEmpty();
    assertThat(agent.metric(STARTS)).isEqualTo(starts + 1);
  }

  private AgentProcess start(TestCluster cluster, String lease) throws Exception {
    assumeThat(cluster.controlPlane().authority()).as("an authority of ours").isPresent();
    replace(cluster, LIFE);
    Path kubeconfig =
        cluster
            .agentAccess()
            .writeCertificateKubeconfig(folder.resolve("agent.kubeconfig"), file());
    return cluster.closeAfterTest(
        AgentProcess.Setup.ofNodes(folder, cluster.namespace() + "-", 1, kubeconfig)
            .with("--set", "lease.renewInterval=1s", "--set", "lease.duration=" + lease)
            .start());
  }

  private void awaitReady(TestCluster cluster, AgentProcess agent) {
    eventually(
        () -> {
          keepValid(cluster);
          assertThat(agent.ready()).isTrue();
        });
  }

  private static String node(TestCluster cluster) {
    return cluster.namespace() + "-0";
  }

  private Path file() {
    return folder.resolve("agent-current.pem");
  }

  /** A machine that is busy may take longer to get ready than a certificate lives. */
  private void keepValid(TestCluster cluster) throws IOException {
    if (Instant.now().isAfter(replaced.plus(REPLACED))) {
      replace(cluster, LIFE);
    }
  }

  private void replace(TestCluster cluster, Duration life) throws IOException {
    CertificateAuthority authority = cluster.controlPlane().authority().orElseThrow();
    replaced = Instant.now();
    Identity next = authority.issueClient(AgentAccess.USER, "", life);
    Path file =
        Kubeconfig.writeSecret(
            folder.resolve("agent-next.pem"), next.certificatePem() + next.privateKeyPem());
    Files.move(file, file(), StandardCopyOption.ATOMIC_MOVE);
  }
}
