package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.patch.Patch;
import dev.vertlet.apiserver.registry.Strategy.Part;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoredObject;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.FieldValue;
import dev.vertlet.apiserver.validation.MetadataRules;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The verbs on objects. Both the HTTP front and tests that act as another client come through here,
 * so that both get the same defaults, checks and events.
 */
public final class Registry {
  private final ObjectStore store;
  private final Clock clock;
  private final RandomGenerator random;
  private final Lister lister;
  private final Deletion deletion;
  private final NamespaceLifecycle namespaces;
  private final ResizeAdmission resizes;

  /**
   * @param clock source of timestamps
   * @param random source of UIDs and generated names
   */
  public Registry(ObjectStore store, Resources resources, Clock clock, RandomGenerator random) {
    this.store = store;
    this.clock = clock;
    this.random = random;
    this.lister = new Lister(store);
    this.deletion = new Deletion(store, clock);
    this.namespaces = new NamespaceLifecycle(store, resources, clock);
    this.resizes = new ResizeAdmission(store, resources);
  }

  /** The revision of the latest write. */
  public long revision() {
    return store.revision();
  }

  public Optional<StoredObject> find(Resource resource, String namespace, String name) {
    return store.get(resource.storage(), namespace, name);
  }

  public StoredObject get(Resource resource, String namespace, String name) {
    return find(resource, namespace, name)
        .orElseThrow(() -> ApiException.notFound(resource.type(), name));
  }

  public Page list(ListQuery query) {
    return lister.list(query);
  }

  /** A list as of a past revision, for scripted staleness. */
  public Page listAt(ListQuery query, long revision) {
    return lister.at(query, revision);
  }

  /** Creates an object; takes the tree over. */
  public StoredObject create(Resource resource, String namespace, ObjectNode body, boolean dryRun) {
    ResourceType type = resource.type();
    if (!Json.text(body, "metadata", "resourceVersion").isEmpty()) {
      throw new ApiException(500, "", "resourceVersion should not be set on objects to be created");
    }
    Json.dropNulls(body);
    ObjectNode object = resource.conversion().decode(body);
    Metadata.bindToUrl(type, object, namespace, "");
    if (type.namespaced()) {
      namespaces.checkOpen(type, namespace, Json.text(object, "metadata", "name"));
    }
    Metadata.prepareForCreate(object, clock.instant(), random);
    resource.strategy().applyDefaults(object);
    allocate(resource, object, Json.object(), dryRun);
    resource.strategy().prepareForCreate(object);
    validateNew(resource, object);
    String name = Json.text(object, "metadata", "name");
    if (store.get(resource.storage(), namespace, name).isPresent()) {
      throw ApiException.alreadyExists(type, name);
    }
    ObjectNode finished = Metadata.canonical(object);
    return dryRun ? ObjectStore.unsaved(finished) : store.put(resource.storage(), finished);
  }

  private void allocate(Resource resource, ObjectNode next, ObjectNode current, boolean dryRun) {
    resource.strategy().allocate(next, current, () -> store.list(resource.storage(), ""), dryRun);
  }

  private static void validateNew(Resource resource, ObjectNode object) {
    Causes causes = new Causes();
    Strategy strategy = resource.strategy();
    MetadataRules.created(
        FieldValue.of(object, causes), strategy.names(), strategy.knowsFinalizers());
    strategy.validate(object, causes);
    throwIfAny(causes, resource, object);
  }

  private static void validateUpdate(
      Resource resource, Part part, ObjectNode next, ObjectNode current) {
    Causes causes = new Causes();
    Strategy strategy = resource.strategy();
    MetadataRules.updated(
        FieldValue.of(next, causes), FieldValue.of(current, causes), strategy.knowsFinalizers());
    strategy.validateUpdate(part, next, current, causes);
    throwIfAny(causes, resource, current);
  }

  /** What two groups share is of the core group, whichever it came through. */
  private static void throwIfAny(Causes causes, Resource resource, ObjectNode object) {
    ResourceType type = resource.type();
    boolean own = resource.storage().equals(type.qualifiedResource());
    causes.throwIfAny(own ? type.group() : "", type.kind(), Json.text(object, "metadata", "name"));
  }

  /** What a PUT came to. */
  public record Updated(StoredObject object, boolean created) {}

  /** Replaces the part of an object; takes the tree over. */
  public Updated update(
      Resource resource,
      Part part,
      String namespace,
      String name,
      ObjectNode body,
      boolean dryRun) {
    ResourceType type = resource.type();
    Json.dropNulls(body);
    ObjectNode next = resource.conversion().decode(body);
    Metadata.bindToUrl(type, next, namespace, name);
    Optional<StoredObject> found = find(resource, namespace, name);
    if (found.isEmpty()) {
      if (part != Part.MAIN || !resource.strategy().createsOnUpdate()) {
        throw ApiException.notFound(type, name);
      }
      Json.child(body, "metadata").remove("resourceVersion");
      return new Updated(create(resource, namespace, body, dryRun), true);
    }
    StoredObject current = found.get();
    String uid = Json.text(next, "metadata", "uid");
    if (!uid.isEmpty() && !uid.equals(current.uid())) {
      throw ApiException.conflict(
          type,
          name,
          "StorageError: invalid object, Code: 4, Key: /registry/%s/%s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object meta: %s"
              .formatted(type.plural(), current.key(), uid, current.uid()));
    }
    boolean unversioned = Json.text(next, "metadata", "resourceVersion").isEmpty();
    if (unversioned && !resource.strategy().allowsUnconditionalUpdate()) {
      // the real server names the resource, not the kind, in this one
      Causes causes = new Causes();
      causes.invalid("metadata.resourceVersion", "0", "must be specified for an update");
      causes.throwIfAny(type.group(), type.plural(), name);
    }
    return new Updated(write(resource, part, current, next, dryRun), false);
  }

  /** Patches the part of an object. */
  public StoredObject patch(
      Resource resource, Part part, String namespace, String name, Patch patch, boolean dryRun) {
    StoredObject current = get(resource, namespace, name);
    // the patch sees the API version's own field names, and the fields every client sees
    ObjectNode view = resource.conversion().encode(current.copy());
    view.put("kind", resource.type().kind()).put("apiVersion", resource.type().apiVersion());
    JsonNode patched = patch.apply(view);
    if (!(patched instanceof ObjectNode external)) {
      throw ApiException.badRequest("the patched document is not an object");
    }
    Json.dropNulls(external);
    ObjectNode next = resource.conversion().decode(external);
    Metadata.bindToUrl(resource.type(), next, namespace, name);
    return write(resource, part, current, next, dryRun);
  }

  private StoredObject write(
      Resource resource, Part part, StoredObject current, ObjectNode next, boolean dryRun) {
    ResourceType type = resource.type();
    String stored = Json.text(current.json(), "metadata", "resourceVersion");
    String version = Json.text(next, "metadata", "resourceVersion");
    checkVersion(version);
    if (!version.isEmpty() && !version.equals(stored)) {
      throw ApiException.modified(type, current.name());
    }
    Json.child(next, "metadata").put("resourceVersion", stored);
    isolate(type, part, next, current.json());
    Metadata.prepareForUpdate(next, current.json());
    Strategy strategy = resource.strategy();
    strategy.applyDefaults(next);
    if (part == Part.MAIN) {
      allocate(resource, next, current.json(), dryRun);
    }
    strategy.prepareForUpdate(part, next, current.json());
    validateUpdate(resource, part, next, current.json());
    if (part == Part.RESIZE) {
      resizes.check(type, next, current.json());
    }
    if (strategy.countsGenerations() && !next.path("spec").equals(current.json().path("spec"))) {
      ObjectNode metadata = Json.child(next, "metadata");
      metadata.put("generation", metadata.path("generation").asInt() + 1);
    }
    ObjectNode finished = Metadata.canonical(next);
    if (finished.equals(current.json())) {
      return current; // the real server does not write either, so the resourceVersion stays
    } else if (dryRun) {
      return ObjectStore.unsaved(finished);
    } else if (strategy.completesDeletion(finished)) {
      store.remove(resource.storage(), current);
      return ObjectStore.unsaved(finished);
    }
    return store.put(resource.storage(), finished);
  }

  private static void checkVersion(String version) {
    if (!version.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new ApiException(
          500, "", "strconv.ParseUint: parsing \"%s\": invalid syntax".formatted(version));
    }
  }

  /** A write to one part keeps what the other part holds. */
  private static void isolate(ResourceType type, Part part, ObjectNode next, ObjectNode current) {
    if (part == Part.MAIN || part == Part.FINALIZE) {
      if (type.subresources().contains("status")) {
        Json.copyField(current, next, "status");
      }
      return;
    } else if (part == Part.EPHEMERAL_CONTAINERS) {
      ObjectNode spec = Json.child(current.deepCopy(), "spec");
      Json.copyField(Json.view(next, "spec"), spec, "ephemeralContainers");
      next.setAll(current.deepCopy());
      next.set("spec", spec);
      return;
    }
    if (part == Part.RESIZE) {
      PodResize.isolate(next, current);
      return;
    }
    List<String> fields = new ArrayList<>();
    next.fieldNames().forEachRemaining(fields::add);
    current.fieldNames().forEachRemaining(fields::add);
    for (String field : fields) {
      if (!field.equals("metadata") && !field.equals("status")) {
        Json.copyField(current, next, field);
      }
    }
  }

  /** Deletes one object. */
  public Deletion.Outcome delete(
      Resource resource, String namespace, String name, DeleteOptions options) {
    StoredObject current = get(resource, namespace, name);
    if (namespaces.isNamespace(resource) && !NamespaceLifecycle.isFinalized(current)) {
      return namespaces.delete(current, options);
    }
    return deletion.delete(resource, current, options);
  }

  /**
   * Releases a terminating namespace once its content has gone, as {@code namespaces/finalize}
   * does.
   */
  public void finalizeNamespace(String name) {
    namespaces.finish(name);
  }

  /** Deletes what a list selects; answers with the objects as they were found. */
  public Page deleteCollection(ListQuery query, DeleteOptions options) {
    Page page = lister.list(query);
    for (StoredObject object : page.items()) {
      delete(query.resource(), object.namespace(), object.name(), options);
    }
    return page;
  }
}
