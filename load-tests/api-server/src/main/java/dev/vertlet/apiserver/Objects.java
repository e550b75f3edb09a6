package dev.vertlet.apiserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.patch.Patch;
import dev.vertlet.apiserver.registry.DeleteOptions;
import dev.vertlet.apiserver.registry.ListQuery;
import dev.vertlet.apiserver.registry.PodSubresources;
import dev.vertlet.apiserver.registry.Registry;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.registry.Resources;
import dev.vertlet.apiserver.registry.Strategy.Part;
import dev.vertlet.apiserver.store.StoredObject;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Direct access to the objects of an embedded API server: a test plays kubectl, a controller or the
 * scheduler with it. Same defaults, checks and watch events as over HTTP, but no faults and no
 * entry in the request log.
 *
 * <p>Any thread; Futures complete on the caller's context and fail with {@link ApiException}.
 * Resources go by plural name, cluster-scoped objects have namespace {@code ""}. Trees that go in
 * and come out are copies.
 */
public final class Objects {
  private final Loop loop;
  private final Resources resources;
  private final Registry registry;
  private final PodSubresources podSubresources;

  Objects(Loop loop, Resources resources, Registry registry, PodSubresources podSubresources) {
    this.loop = loop;
    this.resources = resources;
    this.registry = registry;
    this.podSubresources = podSubresources;
  }

  private Resource resource(String plural) {
    return resources.find(plural).orElseThrow(ApiException::noSuchResource);
  }

  private static ObjectNode view(Resource resource, StoredObject object) {
    ObjectNode view =
        Json.object()
            .put("kind", resource.type().kind())
            .put("apiVersion", resource.type().apiVersion());
    view.setAll(object.copy());
    return view;
  }

  /** A copy whose numbers have the types parsing gives them, so that comparisons hold. */
  private static ObjectNode copy(ObjectNode object) {
    return Json.parse(new String(Json.bytes(object), StandardCharsets.UTF_8));
  }

  private static String namespace(Resource resource, ObjectNode object) {
    String written = Json.text(object, "metadata", "namespace");
    return !resource.type().namespaced() ? "" : written.isEmpty() ? "default" : written;
  }

  /** Creates an object in the namespace it names, {@code default} if it names none. */
  public Future<ObjectNode> create(String plural, ObjectNode object) {
    ObjectNode body = copy(object);
    return loop.call(
        () -> {
          Resource resource = resource(plural);
          return view(resource, registry.create(resource, namespace(resource, body), body, false));
        });
  }

  /** Creates an object from JSON text. */
  public Future<ObjectNode> create(String plural, String json) {
    return create(plural, Json.parse(json));
  }

  public Future<ObjectNode> get(String plural, String namespace, String name) {
    return loop.call(() -> view(resource(plural), registry.get(resource(plural), namespace, name)));
  }

  /** Like {@link #get}, with an empty result instead of a 404. */
  public Future<Optional<ObjectNode>> find(String plural, String namespace, String name) {
    return loop.call(
        () ->
            registry
                .find(resource(plural), namespace, name)
                .map(object -> view(resource(plural), object)));
  }

  /** All objects of a namespace, or of all with {@code ""}, in order of namespace and name. */
  public Future<List<ObjectNode>> list(String plural, String namespace) {
    return loop.call(
        () ->
            registry.list(ListQuery.all(resource(plural), namespace)).items().stream()
                .map(object -> view(resource(plural), object))
                .toList());
  }

  /** Replaces an object except its status. Without a resourceVersion the write is unconditional. */
  public Future<ObjectNode> update(String plural, ObjectNode object) {
    return update(plural, Part.MAIN, object);
  }

  /** Replaces the status of an object. */
  public Future<ObjectNode> updateStatus(String plural, ObjectNode object) {
    return update(plural, Part.STATUS, object);
  }

  private Future<ObjectNode> update(String plural, Part part, ObjectNode object) {
    ObjectNode body = copy(object);
    return loop.call(
        () -> {
          Resource resource = resource(plural);
          String name = Json.text(body, "metadata", "name");
          String namespace = namespace(resource, body);
          return view(
              resource, registry.update(resource, part, namespace, name, body, false).object());
        });
  }

  /**
   * Reads, changes and writes an object, except its status, in one step that nothing can come
   * between.
   */
  public Future<ObjectNode> edit(
      String plural, String namespace, String name, Consumer<ObjectNode> change) {
    return patch(plural, Part.MAIN, namespace, name, current -> changed(current, change));
  }

  /** Reads, changes and writes the status of an object in one step. */
  public Future<ObjectNode> editStatus(
      String plural, String namespace, String name, Consumer<ObjectNode> change) {
    return patch(plural, Part.STATUS, namespace, name, current -> changed(current, change));
  }

  private static ObjectNode changed(ObjectNode current, Consumer<ObjectNode> change) {
    change.accept(current);
    return copy(current);
  }

  /** Applies a strategic merge patch, except to the status. */
  public Future<ObjectNode> patch(String plural, String namespace, String name, String patch) {
    return patch(plural, Part.MAIN, namespace, name, strategic(patch));
  }

  /** Applies a strategic merge patch to the status. */
  public Future<ObjectNode> patchStatus(
      String plural, String namespace, String name, String patch) {
    return patch(plural, Part.STATUS, namespace, name, strategic(patch));
  }

  private static Patch strategic(String patch) {
    return Patch.decode(
        "application/strategic-merge-patch+json", patch.getBytes(StandardCharsets.UTF_8));
  }

  private Future<ObjectNode> patch(
      String plural, Part part, String namespace, String name, Patch patch) {
    return loop.call(
        () ->
            view(
                resource(plural),
                registry.patch(resource(plural), part, namespace, name, patch, false)));
  }

  /** Deletes as {@code kubectl delete}: a bound pod gets its grace period, finalizers hold. */
  public Future<ObjectNode> delete(String plural, String namespace, String name) {
    return delete(plural, namespace, name, DeleteOptions.DEFAULT);
  }

  /** Deletes as {@code kubectl delete --force --grace-period=0}. */
  public Future<ObjectNode> deleteNow(String plural, String namespace, String name) {
    return delete(plural, namespace, name, DeleteOptions.NOW);
  }

  /** Deletes with options; answers with the object as it was last. */
  public Future<ObjectNode> delete(
      String plural, String namespace, String name, DeleteOptions options) {
    return loop.call(
        () ->
            view(
                resource(plural),
                registry.delete(resource(plural), namespace, name, options).object()));
  }

  /** Binds a pod to a node as the scheduler does. */
  public Future<Void> bind(String namespace, String pod, String node) {
    ObjectNode binding = Json.object();
    binding.putObject("metadata").put("name", pod);
    binding.putObject("target").put("kind", "Node").put("name", node);
    return loop.<Boolean>call(
            () -> {
              podSubresources.bind(namespace, pod, binding, false);
              return true;
            })
        .mapEmpty();
  }

  /** The revision of the latest write. */
  public Future<Long> revision() {
    return loop.call(registry::revision);
  }
}
