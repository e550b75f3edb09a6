package dev.vertlet.apiserver.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Timestamps;
import dev.vertlet.apiserver.registry.DeleteOptions;
import dev.vertlet.apiserver.registry.Registry;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.registry.Resources;
import dev.vertlet.apiserver.registry.Strategy.Part;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoreEvent;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster as controllers see and change it. Each change reads and writes in one step on the
 * loop, so nothing can come in between; it passes the checks every client's write passes.
 */
public final class Cluster implements Turns {
  private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

  private final ObjectStore store;
  private final Registry registry;
  private final Resources resources;
  private final Clock clock;
  private final Turns turns;
  private final Resource pods;
  private final Resource nodes;

  public Cluster(
      ObjectStore store, Registry registry, Resources resources, Clock clock, Turns turns) {
    this.store = store;
    this.registry = registry;
    this.resources = resources;
    this.clock = clock;
    this.turns = turns;
    this.pods = resource("pods");
    this.nodes = resource("nodes");
  }

  public Resource pods() {
    return pods;
  }

  public Resource nodes() {
    return nodes;
  }

  /** The first resource with this plural name, which must exist. */
  public Resource resource(String plural) {
    return resources.find(plural).orElseThrow();
  }

  public Collection<Resource> resources() {
    return resources.all();
  }

  public Clock clock() {
    return clock;
  }

  /** Now, as {@code metav1.Time}. */
  public String timestamp() {
    return Timestamps.seconds(clock.instant());
  }

  @Override
  public void soon(Runnable task) {
    turns.soon(task);
  }

  @Override
  public void later(Duration delay, Runnable task) {
    turns.later(delay, task);
  }

  /** Calls the follower with each change from now on, after what exists already was shown to it. */
  public void follow(
      Resource resource, Consumer<StoredObject> existing, Consumer<StoreEvent> changes) {
    store.subscribe(resource.storage(), changes);
    list(resource, "").forEach(existing);
  }

  /** A copy of the list of current objects; an empty namespace means all. */
  public List<StoredObject> list(Resource resource, String namespace) {
    return List.copyOf(store.list(resource.storage(), namespace));
  }

  public boolean isEmpty(Resource resource, String namespace) {
    return store.list(resource.storage(), namespace).isEmpty();
  }

  public Optional<StoredObject> find(Resource resource, String namespace, String name) {
    return store.get(resource.storage(), namespace, name);
  }

  /** The object of this name if it still is the same one. */
  public Optional<StoredObject> find(Resource resource, String namespace, String name, String uid) {
    return find(resource, namespace, name).filter(found -> found.uid().equals(uid));
  }

  /** Creates an object; false when it exists or may not be created. */
  public boolean create(Resource resource, String namespace, ObjectNode object) {
    try {
      registry.create(resource, namespace, object, false);
      return true;
    } catch (ApiException refused) {
      LOG.debug("a controller may not create an object", refused);
      return false;
    }
  }

  /** Changes an object, except its status. */
  public void edit(Resource resource, StoredObject object, Consumer<ObjectNode> change) {
    edit(resource, Part.MAIN, object, change);
  }

  /** Changes the status of an object. */
  public void editStatus(Resource resource, StoredObject object, Consumer<ObjectNode> change) {
    edit(resource, Part.STATUS, object, change);
  }

  private void edit(
      Resource resource, Part part, StoredObject object, Consumer<ObjectNode> change) {
    registry.patch(
        resource,
        part,
        object.namespace(),
        object.name(),
        view -> {
          change.accept((ObjectNode) view);
          return view;
        },
        false);
  }

  /** Deletes this very object as a client with these options does, if it still exists. */
  public void delete(Resource resource, StoredObject object, DeleteOptions options) {
    if (find(resource, object.namespace(), object.name(), object.uid()).isPresent()) {
      registry.delete(resource, object.namespace(), object.name(), options);
    }
  }

  /** Deletes this very object without grace, if it still exists. */
  public void deleteNow(Resource resource, StoredObject object) {
    delete(resource, object, DeleteOptions.DEFAULT.withGrace(OptionalLong.of(0)));
  }

  /** Takes the last hold off a terminating namespace whose content is gone. */
  public void finalizeNamespace(String name) {
    registry.finalizeNamespace(name);
  }
}
