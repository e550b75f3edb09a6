package dev.vertlet.apiserver.namespace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Conditions;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.control.Cluster;
import dev.vertlet.apiserver.control.WorkQueue;
import dev.vertlet.apiserver.registry.DeleteOptions;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.store.StoreEvent;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Empties namespaces that are being deleted and releases the empty ones. While content remains, the
 * namespace's conditions say what holds it.
 */
public final class NamespaceController {
  /** A report counts what remains, so it must not follow every single removal. */
  private static final Duration REPORT_PAUSE = Duration.ofMillis(500);

  private record Content(Resource resource, StoredObject object) {}

  private final Cluster cluster;
  private final Resource namespaces;
  private final List<Resource> contents;
  private final Set<String> terminating = new HashSet<>();
  private final WorkQueue<Content> deletions;
  private final WorkQueue<String> checks;
  private final WorkQueue<String> reports;

  public NamespaceController(Cluster cluster) {
    this.cluster = cluster;
    this.namespaces = cluster.resource("namespaces");
    this.contents = contents(cluster);
    this.deletions = new WorkQueue<>(cluster, this::delete);
    this.checks = new WorkQueue<>(cluster, this::check);
    this.reports = new WorkQueue<>(cluster, REPORT_PAUSE, this::report);
  }

  /** One resource for each place where namespaced objects are kept. */
  private static List<Resource> contents(Cluster cluster) {
    Map<String, Resource> byStorage = new LinkedHashMap<>();
    for (Resource resource : cluster.resources()) {
      if (resource.type().namespaced()) {
        byStorage.putIfAbsent(resource.storage(), resource);
      }
    }
    return List.copyOf(byStorage.values());
  }

  public void start() {
    cluster.follow(namespaces, this::seen, this::changed);
    for (Resource resource : contents) {
      cluster.follow(resource, known -> {}, this::contentChanged);
    }
  }

  private void changed(StoreEvent event) {
    event.after().ifPresentOrElse(this::seen, () -> terminating.remove(event.gone().name()));
  }

  private void seen(StoredObject namespace) {
    boolean isTerminating = namespace.json().path("metadata").has("deletionTimestamp");
    boolean isEmptied = Json.at(namespace.json(), "spec", "finalizers").isEmpty();
    if (isTerminating && !isEmptied && terminating.add(namespace.name())) {
      cluster.soon(() -> empty(namespace.name()));
    }
  }

  private void contentChanged(StoreEvent event) {
    if (event.after().isEmpty() && terminating.contains(event.gone().namespace())) {
      checks.add(event.gone().namespace());
    }
  }

  private void empty(String namespace) {
    for (Resource resource : contents) {
      for (StoredObject object : cluster.list(resource, namespace)) {
        deletions.add(new Content(resource, object));
      }
    }
    checks.add(namespace);
  }

  private void delete(Content content) {
    cluster.delete(content.resource(), content.object(), DeleteOptions.DEFAULT);
    checks.add(content.object().namespace());
  }

  private void check(String namespace) {
    if (!terminating.contains(namespace)) {
      return;
    } else if (contents.stream().allMatch(resource -> cluster.isEmpty(resource, namespace))) {
      terminating.remove(namespace);
      cluster.finalizeNamespace(namespace);
    } else {
      reports.add(namespace);
    }
  }

  /** Writes what remains, in the words of the real controller. */
  private void report(String name) {
    StoredObject namespace = cluster.find(namespaces, "", name).orElse(null);
    if (namespace == null || !terminating.contains(name)) {
      return;
    }
    Map<String, Integer> remaining = new TreeMap<>();
    Map<String, Integer> finalizers = new TreeMap<>();
    for (Resource resource : contents) {
      for (StoredObject object : cluster.list(resource, namespace.name())) {
        remaining.merge(resource.type().qualifiedResource(), 1, Integer::sum);
        for (JsonNode finalizer : Json.at(object.json(), "metadata", "finalizers")) {
          finalizers.merge(finalizer.asText(), 1, Integer::sum);
        }
      }
    }
    cluster.editStatus(
        namespaces,
        namespace,
        view -> {
          ObjectNode status = Json.child(view, "status");
          set(
              status,
              "NamespaceDeletionDiscoveryFailure",
              false,
              "ResourcesDiscovered",
              "All resources successfully discovered");
          set(
              status,
              "NamespaceDeletionGroupVersionParsingFailure",
              false,
              "ParsedGroupVersions",
              "All legacy kube types successfully parsed");
          set(
              status,
              "NamespaceDeletionContentFailure",
              false,
              "ContentDeleted",
              "All content successfully deleted, may be waiting on finalization");
          set(
              status,
              "NamespaceContentRemaining",
              true,
              "SomeResourcesRemain",
              "Some resources are remaining: "
                  + listed(remaining, "%s. has %d resource instances"));
          if (finalizers.isEmpty()) {
            set(
                status,
                "NamespaceFinalizersRemaining",
                false,
                "ContentHasNoFinalizers",
                "All content-preserving finalizers finished");
          } else {
            set(
                status,
                "NamespaceFinalizersRemaining",
                true,
                "SomeFinalizersRemain",
                "Some content in the namespace has finalizers remaining: "
                    + listed(finalizers, "%s in %d resource instances"));
          }
        });
  }

  private static String listed(Map<String, Integer> counts, String form) {
    List<String> lines = new ArrayList<>();
    counts.forEach((name, count) -> lines.add(form.formatted(name, count)));
    return String.join(", ", lines);
  }

  private void set(ObjectNode status, String type, boolean value, String reason, String message) {
    Conditions.set(
        status,
        Json.object()
            .put("type", type)
            .put("status", value ? "True" : "False")
            .put("lastTransitionTime", cluster.timestamp())
            .put("reason", reason)
            .put("message", message));
  }
}
