package dev.vertlet.apiserver.metrics;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.api.Timestamps;
import dev.vertlet.apiserver.kubelet.KubeletClient;
import dev.vertlet.apiserver.registry.ListQuery;
import dev.vertlet.apiserver.registry.Page;
import dev.vertlet.apiserver.registry.Registry;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.registry.Strategy;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoredObject;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * NodeMetrics and PodMetrics, made of what kubelets tell at the time of the question. A node whose
 * kubelet does not answer has none, nor have its pods, nor a pod that does not run.
 */
public final class ResourceMetrics {
  /** What metrics-server serves. */
  public static final String API_VERSION = "metrics.k8s.io/v1beta1";

  /**
   * A kubelet's rate of CPU is that between its last two looks, which are about as far apart
   * (cAdvisor's housekeeping interval). metrics-server tells the time between its own two.
   */
  private static final String WINDOW = "10s";

  private static final Resource NODES = resource("nodes", "NodeMetrics", false);
  private static final Resource PODS = resource("pods", "PodMetrics", true);

  /** By these names the real one says that there are none. */
  private static final ResourceType MISSING_NODE =
      ResourceType.cluster(API_VERSION, "nodemetrics", "NodeMetrics");

  private static final ResourceType MISSING_POD =
      ResourceType.namespaced(API_VERSION, "podmetrics", "PodMetrics");

  private final Registry registry;
  private final Resource nodes;
  private final Resource pods;
  private final Summaries summaries;
  private final Clock clock;

  /**
   * @param nodes the resource of Nodes
   * @param pods the resource of Pods
   */
  public ResourceMetrics(
      Vertx vertx,
      Registry registry,
      Resource nodes,
      Resource pods,
      KubeletClient kubelets,
      Clock clock) {
    this.registry = registry;
    this.nodes = nodes;
    this.pods = pods;
    this.summaries = new Summaries(vertx, kubelets, Summaries.PATIENCE);
    this.clock = clock;
  }

  private static Resource resource(String plural, String kind, boolean namespaced) {
    return Resource.of(
        new ResourceType(
            "metrics.k8s.io",
            "v1beta1",
            plural,
            "",
            kind,
            namespaced,
            List.of(),
            List.of(),
            Set.of()),
        Strategy.PLAIN);
  }

  /** As discovery announces them. */
  public static List<ResourceType> types() {
    return List.of(NODES.type(), PODS.type());
  }

  /** The resource with this plural name. */
  public static Optional<Resource> find(String plural) {
    return List.of(NODES, PODS).stream()
        .filter(resource -> resource.type().plural().equals(plural))
        .findFirst();
  }

  /**
   * All of a resource that a query selects by its scope, labels and fields, which are those of the
   * nodes and pods themselves.
   *
   * @param parameters the value of a query parameter, empty when absent
   * @throws ApiException 400 for selectors that cannot be read
   */
  public Future<Page> list(
      Resource resource, String namespace, Function<String, String> parameters) {
    Resource measured = resource.equals(NODES) ? nodes : pods;
    List<StoredObject> selected =
        new ArrayList<>(registry.list(query(measured, namespace, parameters)).items());
    selected.sort(Comparator.comparing(StoredObject::key));
    return measure(resource, selected).map(found -> new Page(found, 0, "", 0));
  }

  /** Only selectors count: there are no pages and no past. */
  private static ListQuery query(
      Resource resource, String namespace, Function<String, String> parameters) {
    Set<String> selectors = Set.of("labelSelector", "fieldSelector");
    return ListQuery.of(
        resource, namespace, key -> selectors.contains(key) ? parameters.apply(key) : "");
  }

  /**
   * One of them. The Future fails with a 404 when there is none.
   *
   * @throws ApiException 404 when the node or pod itself is not there
   */
  public Future<StoredObject> get(Resource resource, String namespace, String name) {
    boolean node = resource.equals(NODES);
    StoredObject measured = registry.get(node ? nodes : pods, namespace, name);
    return measure(resource, List.of(measured))
        .compose(
            found ->
                found.isEmpty()
                    ? Future.failedFuture(
                        node
                            ? ApiException.notFound(MISSING_NODE, name)
                            : ApiException.notFound(MISSING_POD, namespace + "/" + name))
                    : Future.succeededFuture(found.get(0)));
  }

  private Future<List<StoredObject>> measure(Resource resource, List<StoredObject> objects) {
    return resource.equals(NODES) ? ofNodes(objects) : ofPods(objects);
  }

  private Future<List<StoredObject>> ofNodes(List<StoredObject> selected) {
    return summaries
        .of(selected)
        .map(
            told -> {
              List<StoredObject> found = new ArrayList<>();
              for (StoredObject node : selected) {
                told.getOrDefault(node.name(), Summary.NONE)
                    .node()
                    .ifPresent(usage -> found.add(ofNode(node, usage)));
              }
              return found;
            });
  }

  private StoredObject ofNode(StoredObject node, Usage usage) {
    ObjectNode metrics = begin(node, usage.time());
    metrics.set("usage", usage.toJson());
    return ObjectStore.unsaved(metrics);
  }

  private Future<List<StoredObject>> ofPods(List<StoredObject> selected) {
    List<StoredObject> running =
        selected.stream()
            .filter(pod -> Json.text(pod.json(), "status", "phase").equals("Running"))
            .toList();
    return summaries
        .of(nodesOf(running))
        .map(
            told -> {
              List<StoredObject> found = new ArrayList<>();
              for (StoredObject pod : running) {
                Map<String, Usage> containers =
                    told.getOrDefault(node(pod), Summary.NONE)
                        .pods()
                        .getOrDefault(pod.key(), Map.of());
                if (!containers.isEmpty()) {
                  found.add(ofPod(pod, containers));
                }
              }
              return found;
            });
  }

  private Collection<StoredObject> nodesOf(List<StoredObject> running) {
    Map<String, StoredObject> found = new LinkedHashMap<>();
    running.stream()
        .map(ResourceMetrics::node)
        .distinct()
        .forEach(name -> registry.find(nodes, "", name).ifPresent(node -> found.put(name, node)));
    return found.values();
  }

  private static String node(StoredObject pod) {
    return Json.text(pod.json(), "spec", "nodeName");
  }

  private StoredObject ofPod(StoredObject pod, Map<String, Usage> containers) {
    Instant earliest =
        containers.values().stream().map(Usage::time).min(Comparator.naturalOrder()).orElseThrow();
    ObjectNode metrics = begin(pod, earliest);
    ArrayNode array = metrics.putArray("containers");
    containers.forEach(
        (name, usage) -> array.addObject().put("name", name).set("usage", usage.toJson()));
    return ObjectStore.unsaved(metrics);
  }

  private ObjectNode begin(StoredObject measured, Instant time) {
    ObjectNode metrics = Json.object();
    ObjectNode metadata = metrics.putObject("metadata").put("name", measured.name());
    if (!measured.namespace().isEmpty()) {
      metadata.put("namespace", measured.namespace());
    }
    metadata.put("creationTimestamp", Timestamps.seconds(clock.instant()));
    Json.copyField(Json.view(measured.json(), "metadata"), metadata, "labels");
    return metrics.put("timestamp", Timestamps.seconds(time)).put("window", WINDOW);
  }
}
