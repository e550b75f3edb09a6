package dev.vertlet.references;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.client.KubeClient;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * Finds the version in which the API server serves ClusterTrustBundles: none by default up to
 * Kubernetes 1.36.
 */
final class TrustBundleApi {
  /** In a kubelet's order. */
  private static final List<String> VERSIONS =
      List.of("certificates.k8s.io/v1beta1", "certificates.k8s.io/v1alpha1");

  private final KubeClient kube;

  TrustBundleApi(KubeClient kube) {
    this.kube = kube;
  }

  /**
   * Asks the API server.
   *
   * @return empty if it does not serve them; fails with a {@link KubeException} without an answer
   */
  Future<Optional<KubePath>> find() {
    return find(0);
  }

  private Future<Optional<KubePath>> find(int version) {
    if (version == VERSIONS.size()) {
      return Future.succeededFuture(Optional.empty());
    }
    String groupVersion = VERSIONS.get(version);
    return serves(groupVersion)
        .compose(
            served ->
                served
                    ? Future.succeededFuture(
                        Optional.of(KubePath.clusterTrustBundles(groupVersion)))
                    : find(version + 1));
  }

  private Future<Boolean> serves(String groupVersion) {
    return kube.send(KubeRequest.get(Lane.REST, KubePath.resourcesOf(groupVersion)))
        .map(answer -> lists(answer.body().toJsonObject()))
        .recover(
            failure ->
                failure instanceof KubeException refused
                        && refused.kind() == KubeException.Kind.NOT_FOUND
                    ? Future.succeededFuture(false)
                    : Future.failedFuture(failure));
  }

  private static boolean lists(JsonObject resources) {
    return resources.getJsonArray("resources", new JsonArray()).stream()
        .anyMatch(
            resource ->
                resource instanceof JsonObject object
                    && "clustertrustbundles".equals(object.getString("name")));
  }
}
