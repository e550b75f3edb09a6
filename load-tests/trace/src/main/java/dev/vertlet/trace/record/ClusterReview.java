package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.model.DecodeException;
import dev.vertlet.trace.record.sanitize.WorkloadKind;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out, before anything is written, which cluster this is, which kinds it has, and what may be
 * read. Confined to the client's context.
 */
final class ClusterReview {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final KubePath REVIEWS =
      new KubePath(
          "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
          "selfsubjectaccessreviews",
          "authorization.k8s.io");

  private static final KubePath SYSTEM_NAMESPACE =
      new KubePath("/api/v1/namespaces/kube-system", "namespaces", "");

  private final KubeClient kube;
  private final RecordOptions options;
  private final List<String> denied = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  ClusterReview(KubeClient kube, RecordOptions options) {
    this.kube = kube;
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
    return allowed(new WatchedResource("v1", "namespaces", false, null), "get", "kube-system")
        .compose(
            allowed -> {
              if (!allowed) {
                denied.add("get namespaces/kube-system");
              }
              return workloads();
            })
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
              for (int i = 0; i < kinds.size(); i++) {
                Optional<WatchedResource> one = found.get(i).result();
                if (one.isPresent()) {
                  resources.add(one.get());
                } else if (kinds.get(i).named()) {
                  missing.add(kinds.get(i).key());
                } else {
                  notes.add("the cluster does not have " + kinds.get(i).key());
                }
              }
              if (!missing.isEmpty()) {
                throw new RecordException(
                    "--kinds: the cluster does not have " + String.join(", ", missing));
              }
              return resources;
            });
  }

  private Future<Optional<WatchedResource>> find(WorkloadKind kind) {
    return resources(kind.apiVersion())
        .map(
            list -> {
              for (JsonNode each : list) {
                String name = each.path("name").asText();
                if (each.path("kind").asText().equals(kind.kind()) && name.indexOf('/') < 0) {
                  return Optional.of(
                      new WatchedResource(
                          kind.apiVersion(), name, each.path("namespaced").asBoolean(), kind));
                }
              }
              return Optional.empty();
            });
  }

  /** Returns an empty list for a version that the server does not have. */
  private Future<JsonNode> resources(String apiVersion) {
    String base = apiVersion.indexOf('/') < 0 ? "/api/" : "/apis/";
    return kube.send(KubeRequest.get(Lane.REST, new KubePath(base + apiVersion, "discovery", "")))
        .map(answer -> tree(answer).path("resources"))
        .recover(
            failure ->
                KubeException.is(failure, KubeException.Kind.NOT_FOUND)
                    ? Future.succeededFuture(JsonNodeFactory.instance.arrayNode())
                    : Future.failedFuture(failure));
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
    return resources(WatchedResource.POD_METRICS.apiVersion())
        .recover(failure -> Future.succeededFuture(JsonNodeFactory.instance.arrayNode()))
        .compose(
            list -> {
              if (list.isEmpty()) {
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
    List<Future<Boolean>> answers = new ArrayList<>();
    for (String namespace : options.scopes(resource)) {
      for (String verb : List.of("list", "watch")) {
        String in = namespace.isEmpty() ? "" : " in namespace " + namespace;
        answers.add(
            allowed(resource, verb, "", namespace)
                .onSuccess(
                    allowed -> {
                      if (!allowed) {
                        denied.add(verb + " " + resource + in);
                      }
                    }));
      }
    }
    return Future.all(answers).mapEmpty();
  }

  private Future<Boolean> everywhere(WatchedResource resource, String... verbs) {
    List<Future<Boolean>> answers = new ArrayList<>();
    for (String namespace : options.scopes(resource)) {
      for (String verb : verbs) {
        answers.add(allowed(resource, verb, "", namespace));
      }
    }
    return Future.all(answers).map(all -> answers.stream().allMatch(Future::result));
  }

  private Future<Boolean> allowed(WatchedResource resource, String verb, String name) {
    return allowed(resource, verb, name, "");
  }

  private Future<Boolean> allowed(
      WatchedResource resource, String verb, String name, @Nullable String namespace) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
    ObjectNode attributes = json.putObject("spec").putObject("resourceAttributes");
    attributes.put("group", resource.group()).put("resource", resource.plural()).put("verb", verb);
    if (!name.isEmpty()) {
      attributes.put("name", name);
    }
    if (namespace != null && !namespace.isEmpty()) {
      attributes.put("namespace", namespace);
    }
    return kube.send(KubeRequest.create(Lane.REST, REVIEWS, Buffer.buffer(json.toString())))
        .map(answer -> tree(answer).path("status").path("allowed").asBoolean());
  }

  private static JsonNode tree(KubeResponse answer) {
    try {
      return JSON.readTree(answer.body().getBytes());
    } catch (IOException e) {
      throw new DecodeException("malformed JSON", e);
    }
  }
}
