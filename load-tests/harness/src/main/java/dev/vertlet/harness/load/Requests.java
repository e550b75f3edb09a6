package dev.vertlet.harness.load;

import dev.vertlet.cli.FailedException;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.Verb;
import dev.vertlet.kube.client.KubeClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Sends a load's requests, with retries while the server is busy. Confined to its event loop. */
final class Requests {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/%s/configmaps";

  private static final KubePath WORKLOADS = new KubePath("/apis/apps/v1", "apis", "apps");

  private final KubeClient client;
  private final LoadPlan plan;
  private final Manifests manifests;
  private final PersistentRequests persistent;

  /**
   * @param errors receives the message of each failed try, also of those that are retried
   */
  Requests(
      Vertx vertx,
      KubeClient client,
      LoadPlan plan,
      RandomGenerator random,
      Consumer<String> errors) {
    this.client = client;
    this.plan = plan;
    this.manifests = new Manifests(plan);
    this.persistent = new PersistentRequests(vertx, client, random, errors);
  }

  /** Creates no more objects. */
  void cancel() {
    persistent.cancelCreates();
  }

  Future<?> createPod(int number) {
    return persist(
        KubeRequest.create(
                Lane.REST, KubePath.pods(plan.namespaceOf(number)), manifests.pod(number))
            .metadataOnly());
  }

  Future<?> deletePod(TrackedPod pod) {
    return persist(delete(KubePath.pod(pod.namespace(), pod.name())));
  }

  /** Updates a pod; returns whether the pod existed. */
  Future<Boolean> updatePod(TrackedPod pod, int value) {
    KubeRequest request =
        KubeRequest.patch(
                Lane.REST,
                KubePath.pod(pod.namespace(), pod.name()),
                MediaType.MERGE_PATCH,
                manifests.update(value))
            .metadataOnly();
    return persist(request)
        .map(answer -> true)
        .recover(
            failure ->
                KubeException.is(failure, Kind.NOT_FOUND)
                    ? Future.succeededFuture(false)
                    : Future.failedFuture(failure));
  }

  /**
   * Writes the ConfigMap of the nodes.
   *
   * @param first whether the ConfigMap does not exist yet
   * @return its resourceVersion
   */
  Future<String> config(JsonObject kubelet, boolean first) {
    KubePath all = new KubePath(CONFIG_MAPS.formatted(plan.namespaceOf(0)), "configmaps", "");
    KubeRequest request =
        first
            ? KubeRequest.create(Lane.REST, all, manifests.config(kubelet))
            : KubeRequest.patch(
                Lane.REST,
                KubePath.configMap(plan.namespaceOf(0), Manifests.CONFIG),
                MediaType.MERGE_PATCH,
                manifests.config(kubelet));
    return persist(request)
        .map(
            answer ->
                answer
                    .body()
                    .toJsonObject()
                    .getJsonObject("metadata")
                    .getString("resourceVersion"));
  }

  /** Assigns the ConfigMap to a node. */
  Future<?> assignConfig(String node) {
    return persist(
        KubeRequest.patch(
                Lane.REST, KubePath.node(node), MediaType.MERGE_PATCH, manifests.configSource())
            .metadataOnly());
  }

  /** Fails with {@link FailedException} when the API server has no Deployments. */
  Future<?> requireDeployments(String phase) {
    return client
        .send(KubeRequest.get(Lane.REST, WORKLOADS))
        .recover(
            failure ->
                Future.failedFuture(
                    KubeException.is(failure, Kind.NOT_FOUND)
                        ? new FailedException(
                            "phase %s creates Deployments, which this API server does not have (no API group apps/v1); it needs one with Kubernetes' own controllers"
                                .formatted(phase))
                        : failure));
  }

  Future<?> createDeployment(int number, int replicas) {
    return persist(
        KubeRequest.create(
                Lane.REST,
                deployments(plan.namespaceOf(number)),
                manifests.deployment(number, replicas))
            .metadataOnly());
  }

  Future<?> deleteDeployment(TrackedDeployment deployment) {
    KubePath all = deployments(deployment.namespace());
    return persist(
        delete(new KubePath(all.path() + "/" + deployment.name(), all.resource(), all.group())));
  }

  private static KubePath deployments(String namespace) {
    return new KubePath(
        "/apis/apps/v1/namespaces/" + namespace + "/deployments", "deployments", "apps");
  }

  private static KubeRequest delete(KubePath path) {
    return new KubeRequest(
        Lane.REST, Verb.DELETE, path, "", null, null, MediaType.METADATA_ONLY, null);
  }

  /** Sends a request and retries while the server is overloaded. */
  Future<KubeResponse> persist(KubeRequest request) {
    return persistent.send(request);
  }
}
