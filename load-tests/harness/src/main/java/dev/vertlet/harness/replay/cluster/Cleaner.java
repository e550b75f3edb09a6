package dev.vertlet.harness.replay.cluster;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.client.ApiResource;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Removes what replays made, by its label. Confined to the event loop of its client. */
final class Cleaner {
  /** Kinds that go with others or are handled by themselves. */
  private static final Set<String> BY_THEMSELVES =
      Set.of("nodes", "namespaces", "pods", "events", "leases", "serviceaccounts");

  private final Api api;
  private final String selector;

  /**
   * @param selector label selector of what is to go
   */
  Cleaner(Api api, String selector) {
    this.api = api;
    this.selector = selector;
  }

  /**
   * All kinds of the cluster that can be listed and deleted, by discovery. Groups that do not
   * answer, such as one of an aggregated server that is away, are left out.
   */
  static Future<List<ApiResource>> discover(Api api) {
    List<ApiResource> found = new ArrayList<>();
    return api.send(KubeRequest.get(Lane.REST, new KubePath("/apis", "discovery", "")))
        .compose(
            answer -> {
              List<Future<?>> groups = new ArrayList<>();
              groups.add(kinds(api, "v1", "/api/v1", found));
              answer
                  .body()
                  .toJsonObject()
                  .getJsonArray("groups", new JsonArray())
                  .forEach(
                      group -> {
                        String version =
                            ((JsonObject) group)
                                .getJsonObject("preferredVersion")
                                .getString("groupVersion");
                        groups.add(kinds(api, version, "/apis/" + version, found));
                      });
              return Future.join(groups);
            })
        .map(all -> found);
  }

  private static Future<?> kinds(Api api, String version, String path, List<ApiResource> found) {
    return api.once(KubeRequest.get(Lane.REST, new KubePath(path, "discovery", "")))
        .onSuccess(
            answer ->
                answer
                    .body()
                    .toJsonObject()
                    .getJsonArray("resources", new JsonArray())
                    .forEach(
                        each -> {
                          JsonObject resource = (JsonObject) each;
                          JsonArray verbs = resource.getJsonArray("verbs", new JsonArray());
                          String name = resource.getString("name");
                          if (name.indexOf('/') < 0
                              && resource.getBoolean("namespaced", false)
                              && verbs.contains("list")
                              && verbs.contains("delete")) {
                            found.add(
                                new ApiResource(version, resource.getString("kind"), name, true));
                          }
                        }))
        .otherwiseEmpty();
  }

  /**
   * Deletes once all that is there, workloads and namespaces before their pods, so that no
   * controller replaces those.
   *
   * @param resources kinds of workloads
   * @return number of objects that were still there, 0 at the end; fails with a {@code
   *     KubeException}
   */
  Future<Integer> sweep(List<ApiResource> resources) {
    List<KubePath> workloads = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (ApiResource resource : resources) {
      if (!BY_THEMSELVES.contains(resource.plural()) && seen.add(resource.all().path())) {
        workloads.add(resource.all());
      }
    }
    return sum(workloads.stream().map(all -> each(all, false)).toList())
        .compose(left -> each(Api.NAMESPACES, false).map(more -> left + more))
        .compose(left -> each(KubePath.pods(), true).map(more -> left + more))
        .compose(left -> nodes().map(more -> left + more));
  }

  private static Future<Integer> sum(List<Future<Integer>> counts) {
    return Future.join(counts).map(all -> counts.stream().mapToInt(Future::result).sum());
  }

  /** Leases go after their nodes: without controllers nothing else deletes them. */
  private Future<Integer> nodes() {
    return api.metadata(KubePath.nodes(), selector)
        .compose(
            found ->
                Future.join(
                        found.stream()
                            .map(metadata -> metadata.getString("name"))
                            .map(
                                name ->
                                    api.delete(KubePath.node(name), true)
                                        .compose(
                                            gone -> api.delete(KubePath.nodeLease(name), true)))
                            .toList())
                    .map(all -> found.size()));
  }

  private Future<Integer> each(KubePath all, boolean now) {
    return api.metadata(all, selector)
        .recover(
            failure ->
                // a kind that may not be listed, or is not served any more, has nothing of ours
                KubeException.is(failure, KubeException.Kind.FORBIDDEN)
                        || KubeException.is(failure, KubeException.Kind.NOT_FOUND)
                    ? Future.succeededFuture(List.of())
                    : Future.failedFuture(failure))
        .compose(
            found -> {
              List<JsonObject> whole =
                  found.stream()
                      .filter(metadata -> now || metadata.getString("deletionTimestamp") == null)
                      .toList();
              return Future.join(
                      whole.stream().map(metadata -> api.delete(one(all, metadata), now)).toList())
                  .map(gone -> found.size());
            });
  }

  /** Path of an object of a list over all namespaces. */
  private static KubePath one(KubePath all, JsonObject metadata) {
    String namespace = metadata.getString("namespace", "");
    int last = all.path().lastIndexOf('/');
    String base = all.path().substring(0, last);
    String plural = all.path().substring(last);
    return new KubePath(
        (namespace.isEmpty() ? base + plural : base + "/namespaces/" + namespace + plural)
            + "/"
            + metadata.getString("name"),
        all.resource(),
        all.group());
  }
}
