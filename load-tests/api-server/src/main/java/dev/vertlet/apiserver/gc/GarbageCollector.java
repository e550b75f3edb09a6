package dev.vertlet.apiserver.gc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.control.Cluster;
import dev.vertlet.apiserver.control.WorkQueue;
import dev.vertlet.apiserver.gc.OwnerGraph.Item;
import dev.vertlet.apiserver.registry.DeleteOptions;
import dev.vertlet.apiserver.registry.DeleteOptions.Propagation;
import dev.vertlet.apiserver.registry.Deletion;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.store.StoreEvent;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Follows {@code metadata.ownerReferences} of every object. */
public final class GarbageCollector {
  /** An owner looks at all of its dependents, so it must not follow every single removal. */
  private static final Duration CHECK_PAUSE = Duration.ofMillis(50);

  private enum OwnerState {
    SOLID,
    ABSENT,
    WAITS_FOR_DEPENDENTS
  }

  private final Cluster cluster;
  private final Map<String, Resource> byKind = new HashMap<>();
  private final OwnerGraph graph = new OwnerGraph();

  /** Owners in foreground deletion, by UID. */
  private final Map<String, Item> waitingOwners = new HashMap<>();

  private final WorkQueue<Item> deletions;
  private final WorkQueue<Item> orphanings;
  private final WorkQueue<Item> ownerChecks;

  public GarbageCollector(Cluster cluster) {
    this.cluster = cluster;
    for (Resource resource : cluster.resources()) {
      byKind.put(resource.type().apiVersion() + "/" + resource.type().kind(), resource);
    }
    this.deletions = new WorkQueue<>(cluster, this::attemptToDelete);
    this.orphanings = new WorkQueue<>(cluster, this::attemptToOrphan);
    this.ownerChecks = new WorkQueue<>(cluster, CHECK_PAUSE, this::attemptToDelete);
  }

  public void start() {
    Map<String, Resource> byStorage = new LinkedHashMap<>();
    cluster.resources().forEach(each -> byStorage.putIfAbsent(each.storage(), each));
    for (Resource resource : byStorage.values()) {
      cluster.follow(resource, object -> seen(resource, object), event -> changed(resource, event));
    }
  }

  private static Item item(Resource resource, StoredObject object) {
    return new Item(resource, object.namespace(), object.name(), object.uid());
  }

  private void changed(Resource resource, StoreEvent event) {
    if (event.after().isPresent()) {
      seen(resource, event.after().get());
      return;
    }
    Item gone = item(resource, event.gone());
    // an owner that waits for this one in foreground may go now
    graph.owners(gone.uid()).forEach(this::ownerMayGo);
    graph.remove(gone);
    graph.dependents(gone.uid()).forEach(deletions::add);
  }

  private void ownerMayGo(String ownerUid) {
    Item owner = waitingOwners.get(ownerUid);
    if (owner != null) {
      ownerChecks.add(owner);
    }
  }

  private void seen(Resource resource, StoredObject object) {
    JsonNode metadata = object.json().path("metadata");
    Item item = item(resource, object);
    if (!metadata.path("ownerReferences").isEmpty() || !graph.owners(item.uid()).isEmpty()) {
      Set<String> before = graph.owners(item.uid());
      Set<String> now = new HashSet<>();
      metadata.path("ownerReferences").forEach(owner -> now.add(Json.text(owner, "uid")));
      if (!before.equals(now)) {
        graph.put(item, now);
        before.forEach(this::ownerMayGo);
        deletions.add(item);
      }
      now.forEach(this::ownerMayGo); // blockOwnerDeletion may have been taken back
    }
    if (metadata.has("deletionTimestamp")) {
      if (has(object, Deletion.DELETE_DEPENDENTS)) {
        waitingOwners.put(item.uid(), item);
        deletions.add(item);
      } else {
        waitingOwners.remove(item.uid());
      }
      if (has(object, Deletion.ORPHAN_DEPENDENTS)) {
        orphanings.add(item);
      }
    }
  }

  private static boolean has(StoredObject object, String finalizer) {
    for (JsonNode name : Json.at(object.json(), "metadata", "finalizers")) {
      if (name.asText().equals(finalizer)) {
        return true;
      }
    }
    return false;
  }

  private Optional<StoredObject> find(Item item) {
    return cluster.find(item.resource(), item.namespace(), item.name(), item.uid());
  }

  private static boolean isTerminating(StoredObject object) {
    return object.json().path("metadata").has("deletionTimestamp");
  }

  private static boolean deletesDependents(StoredObject object) {
    return isTerminating(object) && has(object, Deletion.DELETE_DEPENDENTS);
  }

  private void attemptToDelete(Item item) {
    StoredObject object = find(item).orElse(null);
    if (object == null) {
      waitingOwners.remove(item.uid());
    } else if (deletesDependents(object)) {
      deleteDependents(item, object);
    } else if (!isTerminating(object)) {
      judge(item, object);
    }
  }

  /** Foreground: dependents go first; those that block hold the owner. */
  private void deleteDependents(Item owner, StoredObject object) {
    boolean blocked = false;
    for (Item item : graph.dependents(owner.uid())) {
      Optional<StoredObject> dependent = find(item);
      if (dependent.isPresent()) {
        blocked |= blocks(dependent.get(), owner.uid());
        if (!isTerminating(dependent.get())) {
          deletions.add(item);
        }
      }
    }
    if (!blocked) {
      waitingOwners.remove(owner.uid());
      removeFinalizer(owner, object, Deletion.DELETE_DEPENDENTS);
    }
  }

  private static boolean blocks(StoredObject dependent, String ownerUid) {
    for (JsonNode owner : references(dependent)) {
      if (Json.text(owner, "uid").equals(ownerUid)) {
        return owner.path("blockOwnerDeletion").asBoolean(false);
      }
    }
    return false;
  }

  private static JsonNode references(StoredObject object) {
    return Json.at(object.json(), "metadata", "ownerReferences");
  }

  /** An object stays as long as one owner is solid. */
  private void judge(Item item, StoredObject object) {
    Map<OwnerState, List<String>> owners = new HashMap<>();
    for (JsonNode reference : references(object)) {
      owners
          .computeIfAbsent(state(object, reference), any -> new ArrayList<>())
          .add(Json.text(reference, "uid"));
    }
    if (owners.isEmpty()) {
      return;
    } else if (owners.containsKey(OwnerState.SOLID)) {
      Set<String> solid = Set.copyOf(owners.get(OwnerState.SOLID));
      if (owners.size() > 1) {
        keepOwners(item, object, reference -> solid.contains(Json.text(reference, "uid")));
      }
      return;
    }
    Propagation propagation = Propagation.DEFAULT;
    if (owners.containsKey(OwnerState.WAITS_FOR_DEPENDENTS)
        && !graph.dependents(item.uid()).isEmpty()) {
      unblockCycle(item, object);
      propagation = Propagation.FOREGROUND;
    } else if (!has(object, Deletion.ORPHAN_DEPENDENTS)
        && !has(object, Deletion.DELETE_DEPENDENTS)) {
      propagation = Propagation.BACKGROUND;
    }
    StoredObject latest = find(item).orElse(object);
    cluster.delete(item.resource(), latest, DeleteOptions.DEFAULT.withPropagation(propagation));
  }

  /** Objects that own each other in a circle would wait for each other for ever. */
  private void unblockCycle(Item item, StoredObject object) {
    boolean circle =
        graph.dependents(item.uid()).stream()
            .map(this::find)
            .flatMap(Optional::stream)
            .anyMatch(GarbageCollector::deletesDependents);
    if (circle) {
      cluster.edit(
          item.resource(),
          object,
          view -> {
            for (JsonNode reference : Json.at(view, "metadata", "ownerReferences")) {
              if (reference instanceof ObjectNode own && own.has("blockOwnerDeletion")) {
                own.put("blockOwnerDeletion", false);
              }
            }
          });
    }
  }

  private OwnerState state(StoredObject object, JsonNode reference) {
    Resource resource =
        byKind.get(Json.text(reference, "apiVersion") + "/" + Json.text(reference, "kind"));
    if (resource == null || (resource.type().namespaced() && object.namespace().isEmpty())) {
      return OwnerState.SOLID; // nobody can know
    }
    String namespace = resource.type().namespaced() ? object.namespace() : "";
    Optional<StoredObject> owner =
        cluster.find(
            resource, namespace, Json.text(reference, "name"), Json.text(reference, "uid"));
    if (owner.isEmpty()) {
      return OwnerState.ABSENT;
    }
    return deletesDependents(owner.get()) ? OwnerState.WAITS_FOR_DEPENDENTS : OwnerState.SOLID;
  }

  private void attemptToOrphan(Item owner) {
    StoredObject object = find(owner).orElse(null);
    if (object == null || !isTerminating(object) || !has(object, Deletion.ORPHAN_DEPENDENTS)) {
      return;
    }
    for (Item item : graph.dependents(owner.uid())) {
      find(item)
          .ifPresent(
              dependent ->
                  keepOwners(
                      item,
                      dependent,
                      reference -> !Json.text(reference, "uid").equals(owner.uid())));
    }
    removeFinalizer(owner, object, Deletion.ORPHAN_DEPENDENTS);
  }

  private void keepOwners(Item item, StoredObject object, Predicate<JsonNode> wanted) {
    cluster.edit(
        item.resource(),
        object,
        view -> {
          ArrayNode kept = Json.array();
          for (JsonNode reference : Json.at(view, "metadata", "ownerReferences")) {
            if (wanted.test(reference)) {
              kept.add(reference);
            }
          }
          Json.child(view, "metadata").set("ownerReferences", kept);
        });
  }

  private void removeFinalizer(Item item, StoredObject object, String finalizer) {
    cluster.edit(
        item.resource(),
        object,
        view -> {
          ArrayNode kept = Json.array();
          for (JsonNode name : Json.at(view, "metadata", "finalizers")) {
            if (!name.asText().equals(finalizer)) {
              kept.add(name);
            }
          }
          Json.child(view, "metadata").set("finalizers", kept);
        });
  }
}
