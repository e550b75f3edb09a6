package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.agent.Vertlet;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.SandboxConfig;
import dev.vertlet.simulated.SimulatedRuntime;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A container runtime of one's own that looks at what pods refer to, on a real API server. */
@ClusterTest
class OwnRuntimeIT {
  private static final String NODE = "own0";

  @TempDir private Path folder;

  /** What the agent's loop and the test tell each other. */
  private final Map<String, SandboxConfig> sandboxes = new ConcurrentHashMap<>();

  private volatile boolean connected = true;

  private ContainerRuntime looking(ProviderSetup setup) {
    ContainerRuntime simulated =
        SimulatedRuntime.create(
            setup.vertx(),
            setup.clock(),
            1,
            node -> List.of(),
            node -> setup.node(node).podCidr(),
            node -> setup.node(node).capacity());
    return (ContainerRuntime)
        Proxy.newProxyInstance(
            ContainerRuntime.class.getClassLoader(),
            new Class<?>[] {ContainerRuntime.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "usesEnvironment" -> true;
                  case "networkStatus" -> networkStatus();
                  case "runSandbox" -> {
                    sandboxes.put(((PodView) arguments[0]).name(), (SandboxConfig) arguments[2]);
                    yield method.invoke(simulated, arguments);
                  }
                  default -> method.invoke(simulated, arguments);
                });
  }

  private Future<Void> networkStatus() {
    return connected
        ? Future.succeededFuture()
        : Future.failedFuture(new IllegalStateException("no plugin"));
  }

  private void start(TestCluster cluster) throws InterruptedException {
    JsonObject config =
        new JsonObject()
            .put(
                "nodes",
                new JsonArray().add(new JsonObject().put("name", NODE).put("provider", "own")))
            .put("kubernetes", new JsonObject().put("kubeconfig", cluster.kubeconfig().toString()))
            .put("agent", new JsonObject().put("dataDir", folder.resolve("data").toString()))
            .put("server", new JsonObject().put("port", 0).put("enableServer", false));
    cluster.closeAfterTest(
        Vertlet.start(
            config.encode(),
            ProviderFactory.of("own", setup -> new Backend.Containers(looking(setup)))));
  }

  /** kubelet §11.1. */
  @Test
  void whatHasANetworkOfItsOwnWaitsForTheNodes(TestCluster cluster) throws Exception {
    connected = false;
    start(cluster);
    cluster.shows(
        "Ready +False .* KubeletNotReady +container runtime network not ready:"
            + " NetworkReady=false reason:NetworkPluginNotReady message:no"
            + " plugin",
        "describe",
        "node",
        NODE);
    cluster.create("own", NODE, pod -> pod);
    cluster.create("host", NODE, pod -> pod.editSpec().withHostNetwork(true).endSpec());

    cluster.kubectl("wait", "--for=condition=Ready", "pod/host", KubectlRuns.LIMIT);
    eventually(
        () ->
            assertThat(cluster.kubectl("describe", "pod", "own"))
                .containsPattern("Status: +Pending")
                .containsPattern(
                    "Warning +NetworkNotReady .* kubelet +network is not ready: container"
                        + " runtime network not ready: NetworkReady=false"
                        + " reason:NetworkPluginNotReady message:no plugin"));
    assertThat(sandboxes).containsOnlyKeys("host");

    connected = true;

    cluster.kubectl("wait", "--for=condition=Ready", "pod/own", KubectlRuns.LIMIT);
    cluster.kubectl("wait", "--for=condition=Ready", "node/" + NODE, KubectlRuns.LIMIT);
  }

  /** kubelet GetExtraSupplementalGroupsForPod. */
  @Test
  void aPodWaitsForItsClaimAndGetsTheGroupOfItsVolume(TestCluster cluster) throws Exception {
    start(cluster);
    cluster.createAll(
        """
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: data}
        spec: {accessModes: [ReadWriteOnce], storageClassName: "", volumeName: %s,
               resources: {requests: {storage: 1Gi}}}
        """
            .formatted(cluster.namespace()));
    cluster.create(
        "p", NODE, spec("volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"));
    eventually(
        () ->
            assertThat(cluster.kubectl("describe", "pod", "p"))
                .containsPattern("Reason: +ContainerCreating")
                .contains(
                    "Unable to attach or mount volumes: unmounted volumes=[v], unattached"
                        + " volumes=[], failed to process volumes=[v]: error processing PVC "
                        + cluster.namespace()
                        + "/data: PVC is not bound"));
    assertThat(sandboxes).isEmpty();

    bind(cluster);

    cluster.kubectl("wait", "--for=condition=Ready", "pod/p", KubectlRuns.LIMIT);
    assertThat(sandboxes.get("p"))
        .extracting(SandboxConfig::supplementalGroups)
        .isEqualTo(List.of(1234L));
  }

  /** What the controller of volumes does, which not every cluster of these tests has. */
  private static void bind(TestCluster cluster) {
    String volume = cluster.namespace();
    cluster.closeAfterTest(
        () -> cluster.client().persistentVolumes().withName(volume).withGracePeriod(0).delete());
    PersistentVolumeClaim claim =
        cluster.client().persistentVolumeClaims().inNamespace(volume).withName("data").get();
    cluster.createAll(
        """
        apiVersion: v1
        kind: PersistentVolume
        metadata: {name: %1$s, annotations: {pv.beta.kubernetes.io/gid: "1234"}}
        spec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi},
               persistentVolumeReclaimPolicy: Retain, hostPath: {path: /nowhere},
               claimRef: {kind: PersistentVolumeClaim, namespace: %1$s, name: data, uid: %2$s}}
        """
            .formatted(volume, claim.getMetadata().getUid()));
    cluster
        .client()
        .resource(claim)
        .subresource("status")
        .patch(TestCluster.MERGE, "{\"status\": {\"phase\": \"Bound\"}}");
  }
}
