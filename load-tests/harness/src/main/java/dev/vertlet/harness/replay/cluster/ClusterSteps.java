package dev.vertlet.harness.replay.cluster;

import dev.vertlet.harness.replay.plan.ReplayLabels;
import dev.vertlet.harness.replay.plan.Step;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.client.ApiResource;
import dev.vertlet.trace.WorkloadRef;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Makes the steps of a replay in a cluster. Confined to the event loop of its client. */
final class ClusterSteps {
  private final Api api;
  private final String id;

  private final Sightings sightings;

  ClusterSteps(Api api, String id, Sightings sightings) {
    this.api = api;
    this.id = id;
    this.sightings = sightings;
  }

  /**
   * Creates a namespace and the service account of its pods, which a cluster's controllers would
   * create later than the first pods need it.
   */
  Future<?> namespace(String name) {
    JsonObject labels = new JsonObject().put(ReplayLabels.REPLAY, id);
    JsonObject namespace =
        object("Namespace", new JsonObject().put("name", name).put("labels", labels));
    JsonObject account =
        object(
            "ServiceAccount",
            new JsonObject().put("name", "default").put("namespace", name).put("labels", labels));
    KubePath accounts =
        new KubePath(Api.namespace(name).path() + "/serviceaccounts", "serviceaccounts", "");
    return api.create(Api.NAMESPACES, namespace.toBuffer())
        .compose(made -> api.create(accounts, account.toBuffer()).recover(this::unlessThere));
  }

  private <T> Future<T> unlessThere(Throwable failure) {
    return KubeException.is(failure, KubeException.Kind.ALREADY_EXISTS)
        ? Future.succeededFuture()
        : Future.failedFuture(failure);
  }

  private static JsonObject object(String kind, JsonObject metadata) {
    return new JsonObject().put("apiVersion", "v1").put("kind", kind).put("metadata", metadata);
  }

  /**
   * Makes one step.
   *
   * @return fails with a {@code KubeException} or {@code FailedException}
   */
  Future<?> perform(Step step) {
    if (step instanceof Step.NodeJoins joins) {
      return api.create(KubePath.nodes(), joins.node().toBuffer());
    }
    if (step instanceof Step.NodeChanges changes) {
      return api.patch(KubePath.node(changes.name()), changes.patch())
          .compose(done -> api.patch(KubePath.nodeStatus(changes.name()), changes.status()));
    }
    if (step instanceof Step.NodeLeaves leaves) {
      return leave(leaves.name());
    }
    if (step instanceof Step.Evict evict) {
      return sightings
          .evict(evict.node(), evict.workload().toString())
          .<Future<?>>map(pod -> delete(pod, false))
          .orElseGet(Future::succeededFuture);
    }
    if (step instanceof Step.Create create) {
      return path(create.workload())
          .compose(path -> api.create(path.all(), create.object().toBuffer()));
    }
    if (step instanceof Step.Change change) {
      return path(change.workload()).compose(path -> api.patch(path.one(), change.patch()));
    }
    Step.Delete delete = (Step.Delete) step;
    return path(delete.workload()).compose(path -> api.delete(path.one(), false));
  }

  /**
   * Deletes the pods of the node, too: the clock of the controller that would do so is real at any
   * speed.
   */
  private Future<?> leave(String node) {
    List<String> pods = sightings.podsOn(node);
    return api.delete(KubePath.node(node), true)
        .compose(gone -> api.delete(KubePath.nodeLease(node), true))
        .compose(gone -> Future.join(pods.stream().map(pod -> delete(pod, true)).toList()));
  }

  /**
   * Deletes a pod.
   *
   * @param pod as {@code namespace/name}
   * @param now whether without a grace period
   */
  private Future<?> delete(String pod, boolean now) {
    int slash = pod.indexOf('/');
    return api.delete(KubePath.pod(pod.substring(0, slash), pod.substring(slash + 1)), now);
  }

  private record Paths(KubePath all, KubePath one) {}

  private Future<Paths> path(WorkloadRef workload) {
    return api.resource(workload.apiVersion(), workload.kind())
        .map(
            (ApiResource resource) ->
                new Paths(
                    resource.in(workload.namespace()),
                    resource.object(workload.namespace(), workload.name(), "")));
  }
}
