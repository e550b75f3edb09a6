package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.client.AccessReview;
import dev.vertlet.kube.client.ApiCatalog;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.model.DecodeException;
import dev.vertlet.trace.record.sanitize.WorkloadKind;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds out, before anything is written, which cluster this is, which kinds it has, and what may be
 * read. Confined to the client's context.
 */
final class ClusterReview {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final KubePath SYSTEM_NAMESPACE =
      new KubePath("/api/v1/namespaces/kube-system", "namespaces", "");

  private final KubeClient kube;
  private final ApiCatalog catalog;
  private final RecordOptions options;
  private final List<String> denied = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  ClusterReview(KubeClient kube, RecordOptions options) {
    this.kube = kube;
    this.catalog = new ApiCatalog(kube);
    this.options = options;
  }

  /**
   * What can be recorded.
   *
   * @param cluster identity for the trace's header
   * @param workloads kinds that the cluster has
   * @param events whether pull times can be read
   * @param metrics whether use of CPU and memory can be read
   * @param notes what is left out, for people
   */
  record Result(
      String cluster,
      List<WatchedResource> workloads,
      boolean events,
      boolean metrics,
      List<String> notes) {}

  /** Fails with {@link RecordException} for kinds and rights that are missing, naming all. */
  Future<Result> run() {
    return require(AccessReview.of("get", "", "namespaces").withName("kube-system"))
        .compose(v -> workloads())
        .compose(this::rights);
  }

  private Future<List<WatchedResource>> workloads() {
    List<WorkloadKind> kinds = options.allKinds();
    List<Future<Optional<WatchedResource>>> found = new ArrayList<>();
    kinds.forEach(kind -> found.add(find(kind)));
    return Future.all(found)
        .map(
            all -> {
              List<WatchedResource> resources = new ArrayList<>();
              List<String> missing = new ArrayList<>();
              List<String> absent = new ArrayList<>();
              for (int i = 0; i < kinds.size(); i++) {
                Optional<WatchedResource> one = found.get(i).result();
                if (one.isPresent()) {
                  resources.add(one.get());
                } else if (kinds.get(i).named()) {
                  missing.add(kinds.get(i).key());
                } else {
                  absent.add(kinds.get(i).key());
                }
              }
              if (!absent.isEmpty()) {
                notes.add("the cluster does not have " + String.join(", ", absent));
              }
              if (!missing.isEmpty()) {
                throw new RecordException(
                    "--kinds: the cluster does not have " + String.join(", ", missing));
              }
              return resources;
            });
  }

  private Future<Optional<WatchedResource>> find(WorkloadKind kind) {
    return catalog
        .find(kind.apiVersion(), kind.kind())
        .map(found -> found.map(resource -> new WatchedResource(resource, kind)));
  }

  private Future<Result> rights(List<WatchedResource> workloads) {
    List<Future<Void>> checks = new ArrayList<>();
    checks.add(require(WatchedResource.NODES));
    checks.add(require(WatchedResource.PODS));
    workloads.forEach(resource -> checks.add(require(resource)));
    Future<Boolean> events = everywhere(WatchedResource.EVENTS, "list", "watch");
    Future<Boolean> metrics = metrics();
    return Future.all(checks)
        .compose(all -> Future.all(events, metrics))
        .compose(
            all -> {
              if (!denied.isEmpty()) {
                throw new RecordException(
                    "the cluster does not allow what recording needs: "
                        + String.join(", ", denied.stream().sorted().distinct().toList()));
              }
              if (!events.result()) {
                notes.add("no times of image pulls: list and watch of events is not allowed");
              }
              return kube.send(KubeRequest.get(Lane.REST, SYSTEM_NAMESPACE));
            })
        .map(
            namespace ->
                new Result(
                    Timeline.digest(tree(namespace).path("metadata").path("uid").asText()),
                    workloads,
                    events.result(),
                    metrics.result(),
                    List.copyOf(notes)));
  }

  private Future<Boolean> metrics() {
    return catalog
        .find(
            WatchedResource.POD_METRICS.api().apiVersion(),
            WatchedResource.POD_METRICS.api().kind())
        .recover(failure -> Future.succeededFuture(Optional.empty()))
        .compose(
            found -> {
              if (found.isEmpty()) {
                notes.add("no use of CPU and memory: metrics.k8s.io does not answer");
                return Future.succeededFuture(false);
              }
              return everywhere(WatchedResource.POD_METRICS, "list")
                  .onSuccess(
                      allowed -> {
                        if (!allowed) {
                          notes.add(
                              "no use of CPU and memory: list of pods.metrics.k8s.io is not"
                                  + " allowed");
                        }
                      });
            });
  }

  private Future<Void> require(WatchedResource resource) {
    return Future.all(reviews(resource, "list", "watch").map(this::require).toList()).mapEmpty();
  }

  private Future<Void> require(AccessReview review) {
    return review
        .ask(kube)
        .onSuccess(
            allowed -> {
              if (!allowed) {
                denied.add(review.toString());
              }
            })
        .mapEmpty();
  }

  private Future<Boolean> everywhere(WatchedResource resource, String... verbs) {
    List<Future<Boolean>> answers =
        reviews(resource, verbs).map(review -> review.ask(kube)).toList();
    return Future.all(answers).map(all -> answers.stream().allMatch(Future::result));
  }

  /** Questions for each verb in each namespace that is recorded. */
  private Stream<AccessReview> reviews(WatchedResource resource, String... verbs) {
    return options.scopes(resource).stream()
        .flatMap(
            namespace ->
                Arrays.stream(verbs)
                    .map(
                        verb ->
                            AccessReview.of(verb, resource.api().group(), resource.api().plural()))
                    .map(review -> review.withNamespace(namespace)));
  }

  private static JsonNode tree(KubeResponse answer) {
    try {
      return JSON.readTree(answer.body().getBytes());
    } catch (IOException e) {
      throw new DecodeException("malformed JSON", e);
    }
  }
}
