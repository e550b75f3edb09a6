package dev.vertlet.apiserver.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.registry.DeleteOptions;
import dev.vertlet.apiserver.registry.PodSubresources;
import dev.vertlet.apiserver.registry.Registry;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.registry.Resources;
import dev.vertlet.apiserver.registry.Strategy.Part;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Store and registry without HTTP, on the test's thread. Single quotes in JSON stand for double
 * ones; namespaced objects live in {@code default}.
 */
public final class TestCluster {
  public static final String NAMESPACE = "default";

  private final ManualTime time = new ManualTime();
  private final ObjectStore store = new ObjectStore(10_000);
  private final Resources resources = Resources.standard();
  private final Registry registry = new Registry(store, resources, time, new SplittableRandom(1));
  private final PodSubresources subresources =
      new PodSubresources(
          registry, store, resource("pods"), resource("poddisruptionbudgets"), time);
  private final Cluster cluster = new Cluster(store, registry, resources, time, time);

  public TestCluster() {
    for (String name : List.of(NAMESPACE, "kube-node-lease")) {
      create("namespaces", "{'metadata':{'name':'%s'}}".formatted(name));
    }
  }

  public Cluster cluster() {
    return cluster;
  }

  public ManualTime time() {
    return time;
  }

  public PodSubresources subresources() {
    return subresources;
  }

  public Registry registry() {
    return registry;
  }

  public long revision() {
    return store.revision();
  }

  private Resource resource(String plural) {
    return resources.find(plural).orElseThrow();
  }

  private static String namespace(Resource resource) {
    return resource.type().namespaced() ? NAMESPACE : "";
  }

  public StoredObject create(String plural, String json) {
    ObjectNode object = Json.parse(json.replace('\'', '"'));
    String written = Json.text(object, "metadata", "namespace");
    Resource resource = resource(plural);
    return registry.create(
        resource, written.isEmpty() ? namespace(resource) : written, object, false);
  }

  /** A node with room for so many pods and the condition Ready. */
  public StoredObject node(String name, int pods) {
    return create(
        "nodes",
        "{'metadata':{'name':'%s','labels':{'name':'%s'}},'status':{'allocatable':{'pods':'%d','cpu':'2','memory':'1Gi'},'conditions':[{'type':'Ready','status':'True','lastHeartbeatTime':'%s'}]}}"
            .formatted(name, name, pods, cluster.timestamp()));
  }

  /** A node that nothing keeps pods off from. */
  public void openNode(String name, int pods) {
    node(name, pods);
    edit("nodes", name, node -> Json.child(node, "spec").remove("taints"));
  }

  /** A pod; the fragment goes into its spec and ends with a comma unless it is empty. */
  public StoredObject pod(String name, String specFragment) {
    return create(
        "pods",
        "{'metadata':{'name':'%s','labels':{'app':'x'}},'spec':{%s'containers':[{'name':'c','image':'i:1'}]}}"
            .formatted(name, specFragment));
  }

  public void edit(String plural, String name, Consumer<ObjectNode> change) {
    cluster.edit(resource(plural), find(plural, name).orElseThrow(), change);
  }

  public void editStatus(String plural, String name, Consumer<ObjectNode> change) {
    Resource resource = resource(plural);
    registry.patch(
        resource,
        Part.STATUS,
        namespace(resource),
        name,
        view -> {
          change.accept(Json.child((ObjectNode) view, "status"));
          return view;
        },
        false);
  }

  public void delete(String plural, String name, DeleteOptions options) {
    Resource resource = resource(plural);
    registry.delete(resource, namespace(resource), name, options);
  }

  public Optional<StoredObject> find(String plural, String name) {
    Resource resource = resource(plural);
    return registry.find(resource, namespace(resource), name);
  }

  public JsonNode get(String plural, String name) {
    return find(plural, name).orElseThrow().json();
  }

  /** Reasons of the Events in the namespace, oldest name first. */
  public List<String> eventReasons() {
    return cluster.list(resource("events"), NAMESPACE).stream()
        .map(event -> Json.text(event.json(), "reason"))
        .toList();
  }

  public void settle() {
    time.settle();
  }

  public void advance(Duration by) {
    time.advance(by);
  }
}
