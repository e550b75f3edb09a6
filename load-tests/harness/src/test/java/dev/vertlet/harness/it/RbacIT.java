package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.annotated;
import static dev.vertlet.harness.it.TestPods.container;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.fault.Fault;
import dev.vertlet.harness.fault.FaultProxy;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shipped rules against what an agent does, seen from the wire. */
@ClusterTest
class RbacIT {

  @TempDir private Path folder;

  @Test
  void eachRuleIsUsedAndNothingElseIsAskedFor(TestCluster cluster) throws Exception {
    Set<Permission> granted =
        Permission.granted(
            Manifests.render(cluster.controlPlane(), cluster.client(), Manifests.ACCESS));
    assertThat(granted).isNotEmpty();
    Vertx vertx = Vertx.vertx();
    cluster.closeAfterTest(() -> get(vertx.close()));
    FaultProxy proxy =
        get(FaultProxy.start(vertx, cluster.agentKubeconfig(), folder, new Random(1)));
    takeWhatNeedsAnOccasion(cluster, proxy);
    AgentProcess agent =
        cluster.agent(
            AgentProcess.Setup.ofNodes(folder, "rbac", 2, proxy.kubeconfig())
                .with("--set", "pods.maxContainerBackOff=1s"));

    cluster.create("kept", "rbac0");
    cluster.create("deleted", "rbac0");
    // its events repeat, which is a patch
    cluster.create("crashing", "rbac0", annotated("run-for", "100ms"), annotated("exit-code", "1"));
    cluster.create(
        "configured",
        "rbac0",
        container(
            "envFrom: [{configMapRef: {name: settings, optional: true}},"
                + " {secretRef: {name: hidden}}]")); // taken to be there, and not asked for
    cluster.kubectl("delete", "pod", "deleted");
    assertThat(askTheKubelet(vertx, cluster, "rbac0"))
        .startsWith("Forbidden (user=system:serviceaccount:vertlet-system:vertlet, verb=get,");

    // with few nodes an agent reads each lease by itself
    Permission ofManyNodes = new Permission("list", "leases", "kube-node-lease");
    eventually(() -> assertThat(Permission.unused(granted, proxy)).containsExactly(ofManyNodes));
    cluster.kubectl("wait", "--for=condition=Ready", "pod/configured", KubectlRuns.LIMIT);
    assertThat(agent.metric("rest_client_requests_total")).isPositive();
    assertThat(agent.metrics()).doesNotContain("code=\"403\"");
    assertThat(agent.terminate()).isZero();
    assertThat(Permission.notGranted(granted, proxy)).isEmpty();
  }

  @Test
  void agentsWithStaticPodsGetOneRightMore(TestCluster cluster) {
    assertThat(
            Permission.granted(
                Manifests.render(cluster.controlPlane(), cluster.client(), Manifests.STATIC_PODS)))
        .containsExactly(new Permission("create", "pods", ""));
  }

  @Test
  void agentsThatReadSecretsGetTheRightToAllOfThem(TestCluster cluster) {
    assertThat(
            Permission.granted(
                Manifests.render(cluster.controlPlane(), cluster.client(), Manifests.SECRETS)))
        .containsExactlyInAnyOrder(
            new Permission("list", "secrets", ""), new Permission("watch", "secrets", ""));
  }

  @Test
  void agentsThatDivideTheNodesGetTheRightToALeaseOfTheirOwn(TestCluster cluster) {
    assertThat(
            Permission.granted(
                Manifests.render(cluster.controlPlane(), cluster.client(), Manifests.REPLICAS)))
        .containsExactlyInAnyOrder(
            new Permission("create", "leases", "vertlet-system"),
            new Permission("list", "leases", "vertlet-system"),
            new Permission("watch", "leases", "vertlet-system"),
            new Permission("patch", "leases", "vertlet-system"),
            new Permission("delete", "leases", "vertlet-system"));
  }

  @Test
  void agentsThatAskForServingCertificatesGetTwoRightsMore(TestCluster cluster) {
    assertThat(
            Permission.granted(
                Manifests.render(
                    cluster.controlPlane(), cluster.client(), Manifests.SERVING_CERTIFICATES)))
        .containsExactlyInAnyOrder(
            new Permission("create", "certificatesigningrequests", ""),
            new Permission("get", "certificatesigningrequests", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "get, '', secrets, default, false",
    "watch, '', secrets, default, false",
    "watch, '', configmaps, default, true",
    "update, '', secrets, default, false",
    "list, '', services, default, false",
    "create, '', pods, default, false",
    "delete, '', nodes, '', false",
    "update, coordination.k8s.io, leases, kube-system, false",
    "update, coordination.k8s.io, leases, kube-node-lease, true",
    "delete, '', pods, default, true",
    "create, authentication.k8s.io, tokenreviews, '', true",
    "create, authorization.k8s.io, subjectaccessreviews, '', true",
    "create, certificates.k8s.io, certificatesigningrequests, '', false"
  })
  void theUserOfAgentsIsTheServiceAccountAndNoAdministrator(
      String verb,
      String group,
      String resource,
      String namespace,
      boolean allowed,
      TestCluster cluster) {
    SelfSubjectAccessReview question =
        new SelfSubjectAccessReviewBuilder()
            .withNewSpec()
            .withNewResourceAttributes()
            .withVerb(verb)
            .withGroup(group)
            .withResource(resource)
            .withNamespace(namespace)
            .endResourceAttributes()
            .endSpec()
            .build();

    try (KubernetesClient agent = TestCluster.connect(cluster.agentKubeconfig())) {
      SelfSubjectAccessReview answer =
          agent.authorization().v1().selfSubjectAccessReview().create(question);

      assertThat(answer.getStatus().getAllowed()).isEqualTo(allowed);
    }
  }

  /** As the agent's own user, who may do nothing there. Returns the answer. */
  private static String askTheKubelet(Vertx vertx, TestCluster cluster, String name)
      throws Exception {
    Node node = cluster.node(name);
    String address =
        node.getStatus().getAddresses().stream()
            .filter(each -> each.getType().equals("InternalIP"))
            .findFirst()
            .orElseThrow()
            .getAddress();
    int port = node.getStatus().getDaemonEndpoints().getKubeletEndpoint().getPort();
    // nobody vouches for its certificate
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false));
    return get(client
            .request(HttpMethod.GET, port, address, "/pods")
            .compose(
                request ->
                    request
                        .putHeader("Authorization", "Bearer " + cluster.agentAccess().token(null))
                        .send())
            .compose(HttpClientResponse::body)
            .eventually(client::close))
        .toString();
  }

  /** What an agent does only when a server is old, a node exists or a write is refused. */
  private static void takeWhatNeedsAnOccasion(TestCluster cluster, FaultProxy proxy) {
    Node existing = new NodeBuilder().withNewMetadata().withName("rbac1").endMetadata().build();
    cluster.client().resource(existing).create();
    cluster.closeAfterTest(() -> cluster.client().resource(existing).delete());
    // as of a server that cannot stream a list: once for each watch
    proxy.inject(Fault.answer(422).on("watch", "nodes").times(1));
    proxy.inject(Fault.answer(422).on("watch", "pods").times(2));
    // the cluster's authorities and what a pod names
    proxy.inject(Fault.answer(422).on("watch", "configmaps").times(2));
    proxy.inject(Fault.answer(422).on("patch", "pods/status").times(1));
  }
}
