package dev.vertlet.harness.replay.cluster;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.replay.plan.ReplayPlan;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.client.AccessReview;
import dev.vertlet.kube.client.ApiResource;
import dev.vertlet.trace.WorkloadRef;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks a cluster before a replay changes anything in it. */
final class ClusterCheck {
  private static final KubePath PRIORITY_CLASSES =
      new KubePath(
          "/apis/scheduling.k8s.io/v1/priorityclasses", "priorityclasses", "scheduling.k8s.io");

  /** Names in a refusal: enough to see what they are. */
  private static final int NAMED = 5;

  private final Api api;
  private final ReplayPlan plan;
  private final Map<String, ApiResource> resources = new LinkedHashMap<>();

  ClusterCheck(Api api, ReplayPlan plan) {
    this.api = api;
    this.plan = plan;
  }

  /**
   * What a replay needs to know of its cluster.
   *
   * @param resources of the plan's kinds
   * @param newNamespaces that have to be made
   * @param missingClasses priority classes that the cluster does not have
   */
  record Outcome(
      List<ApiResource> resources, Set<String> newNamespaces, Set<String> missingClasses) {}

  /**
   * Checks kinds, rights and names, in this order.
   *
   * @return fails with {@link FailedException} that names all that stands against the replay
   */
  Future<Outcome> check() {
    return kinds()
        .compose(v -> rights())
        .compose(v -> names())
        .compose(
            created ->
                missingClasses()
                    .map(
                        missing -> new Outcome(List.copyOf(resources.values()), created, missing)));
  }

  private Future<?> kinds() {
    List<Future<?>> answers = new ArrayList<>();
    Set<List<String>> asked = new HashSet<>();
    for (WorkloadRef workload : plan.workloads()) {
      if (asked.add(List.of(workload.apiVersion(), workload.kind()))) {
        answers.add(
            api.resource(workload.apiVersion(), workload.kind())
                .onSuccess(found -> resources.put(key(workload), found)));
      }
    }
    return Future.all(answers);
  }

  private static String key(WorkloadRef workload) {
    return workload.apiVersion() + " " + workload.kind();
  }

  private Future<?> rights() {
    Set<AccessReview> needs = new LinkedHashSet<>();
    for (String verb : List.of("list", "watch", "create", "patch", "delete")) {
      needs.add(AccessReview.of(verb, "", "nodes"));
      needs.add(AccessReview.of(verb, "", "pods"));
    }
    needs.add(AccessReview.of("patch", "", "nodes").withSubresource("status"));
    needs.add(AccessReview.of("patch", "", "pods").withSubresource("status"));
    for (String verb : List.of("create", "update", "delete")) {
      needs.add(AccessReview.of(verb, "coordination.k8s.io", "leases"));
    }
    for (String verb : List.of("list", "create", "delete")) {
      needs.add(AccessReview.of(verb, "", "namespaces"));
    }
    for (ApiResource resource : resources.values()) {
      for (String verb : List.of("list", "create", "patch", "delete")) {
        needs.add(AccessReview.of(verb, resource.group(), resource.plural()));
      }
    }
    List<String> denied = new ArrayList<>();
    List<Future<?>> answers = new ArrayList<>();
    needs.forEach(
        need ->
            answers.add(
                need.ask(api::send)
                    .onSuccess(
                        allowed -> {
                          if (!allowed) {
                            denied.add(need.toString());
                          }
                        })));
    return Future.all(answers)
        .map(
            all -> {
              if (!denied.isEmpty()) {
                denied.sort(null);
                throw new FailedException(
                    "the replay lacks these rights in the cluster, and has changed nothing: "
                        + String.join(", ", denied));
              }
              return null;
            });
  }

  /** Refuses names that are taken; returns the namespaces that do not exist. */
  private Future<Set<String>> names() {
    Set<String> taken = new TreeSet<>();
    Set<String> created = new LinkedHashSet<>(plan.namespaces());
    List<Future<?>> answers = new ArrayList<>();
    Set<String> nodes = Set.copyOf(plan.nodes());
    answers.add(
        api.metadata(KubePath.nodes(), "")
            .onSuccess(
                found ->
                    named(found)
                        .filter(nodes::contains)
                        .forEach(name -> taken.add("node " + name))));
    answers.add(
        api.metadata(Api.NAMESPACES, "")
            .onSuccess(found -> named(found).toList().forEach(created::remove)));
    resources.forEach(
        (kind, resource) -> {
          Set<WorkloadRef> wanted =
              plan.workloads().stream()
                  .filter(workload -> key(workload).equals(kind))
                  .collect(Collectors.toSet());
          answers.add(
              api.metadata(resource.all(), "")
                  .onSuccess(
                      found ->
                          found.stream()
                              .map(metadata -> ref(resource, metadata))
                              .filter(wanted::contains)
                              .forEach(workload -> taken.add(workload.toString()))));
        });
    return Future.all(answers)
        .map(
            all -> {
              if (!taken.isEmpty()) {
                throw new FailedException(
                    "the cluster has objects of the recording's names, and the replay has changed"
                        + " nothing: "
                        + some(taken));
              }
              return created;
            });
  }

  private static Stream<String> named(List<JsonObject> found) {
    return found.stream().map(metadata -> metadata.getString("name"));
  }

  private static WorkloadRef ref(ApiResource resource, JsonObject metadata) {
    return new WorkloadRef(
        resource.apiVersion(),
        resource.kind(),
        metadata.getString("namespace", ""),
        metadata.getString("name"));
  }

  private static String some(Collection<String> names) {
    String few = names.stream().limit(NAMED).collect(Collectors.joining(", "));
    return names.size() <= NAMED ? few : few + " and %,d more".formatted(names.size() - NAMED);
  }

  private Future<Set<String>> missingClasses() {
    Set<String> missing = new TreeSet<>(plan.priorityClasses());
    if (missing.isEmpty()) {
      return Future.succeededFuture(missing);
    }
    return api.metadata(PRIORITY_CLASSES, "")
        .map(
            found -> {
              named(found).toList().forEach(missing::remove);
              return missing;
            })
        // an API server without the group refuses no class either
        .recover(failure -> Api.<Set<String>>unlessGone(failure).map(Set.of()));
  }
}
