package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.registry.DeleteOptions.Propagation;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Deletion as {@code k8s.io/apiserver/pkg/registry/rest/delete.go} does it: preconditions, grace
 * that can only be shortened, finalizers.
 */
public final class Deletion {
  /**
   * What a delete came to.
   *
   * @param object the object as the client should see it
   * @param removed whether it is gone
   */
  public record Outcome(StoredObject object, boolean removed) {}

  /** Finalizer of an object whose dependents are to lose their owner before it goes. */
  public static final String ORPHAN_DEPENDENTS = "orphan";

  /** Finalizer of an object whose dependents are to be deleted before it goes. */
  public static final String DELETE_DEPENDENTS = "foregroundDeletion";

  private static final String TIMESTAMP = "deletionTimestamp";
  private static final String GRACE = "deletionGracePeriodSeconds";

  private final ObjectStore store;
  private final Clock clock;

  Deletion(ObjectStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  Outcome delete(Resource resource, StoredObject found, DeleteOptions options) {
    checkPreconditions(resource, found, options);
    if (options.dryRun()) {
      return new Outcome(found, true);
    }
    StoredObject current = withGarbageFinalizers(resource, found, options);
    OptionalLong grace =
        resource.strategy().gracePeriod(current.json(), options.gracePeriodSeconds());
    boolean terminating = current.json().path("metadata").has(TIMESTAMP);
    if (grace.isEmpty()) {
      return finish(resource, current, terminating ? current : mark(resource, current, 0));
    } else if (terminating) {
      return shorten(resource, current, options.gracePeriodSeconds());
    }
    return afterGrace(resource, mark(resource, current, grace.getAsLong()), grace.getAsLong());
  }

  /**
   * Sets the finalizers by which the garbage collector learns what shall become of dependents. A
   * finalizer that only comes with the deletion mark is written with it, in one event.
   */
  private StoredObject withGarbageFinalizers(
      Resource resource, StoredObject current, DeleteOptions options) {
    ObjectNode metadata = Json.view(current.json(), "metadata");
    List<String> old = Metadata.finalizers(metadata);
    List<String> wanted = new ArrayList<>(old);
    if (options.propagation() != Propagation.DEFAULT) {
      wanted.removeAll(List.of(ORPHAN_DEPENDENTS, DELETE_DEPENDENTS));
      if (options.propagation() == Propagation.ORPHAN) {
        wanted.add(ORPHAN_DEPENDENTS);
      } else if (options.propagation() == Propagation.FOREGROUND) {
        wanted.add(DELETE_DEPENDENTS);
      }
    }
    if (wanted.equals(old)) {
      return current;
    }
    ObjectNode next = current.copy();
    ArrayNode finalizers = Json.child(next, "metadata").putArray("finalizers");
    wanted.forEach(finalizers::add);
    boolean marked = metadata.has(TIMESTAMP);
    return marked || wanted.isEmpty()
        ? store.put(resource.storage(), Metadata.canonical(next))
        : ObjectStore.unsaved(Metadata.canonical(next));
  }

  static void checkPreconditions(Resource resource, StoredObject current, DeleteOptions options) {
    String uid = options.uid();
    if (!uid.isEmpty() && !uid.equals(current.uid())) {
      throw ApiException.preconditionFailed(
          resource.type(),
          current.name(),
          "the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated"
              .formatted(uid, current.uid()));
    }
    String version = options.resourceVersion();
    String stored = Json.text(current.json(), "metadata", "resourceVersion");
    if (!version.isEmpty() && !version.equals(stored)) {
      throw ApiException.preconditionFailed(
          resource.type(),
          current.name(),
          "the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s). The object might have been modified"
              .formatted(version, stored));
    }
  }

  /** A second delete may only shorten the grace period. */
  private Outcome shorten(Resource resource, StoredObject current, OptionalLong requested) {
    ObjectNode metadata = Json.view(current.json(), "metadata");
    long left = metadata.path(GRACE).asLong(0);
    if (left == 0) {
      return afterGrace(resource, current, 0);
    } else if (requested.isEmpty() || requested.getAsLong() >= left) {
      return new Outcome(current, false);
    }
    long period = requested.getAsLong();
    Instant now = clock.instant();
    Instant end =
        Instant.parse(metadata.path(TIMESTAMP).asText()).minusSeconds(left).plusSeconds(period);
    if (end.isBefore(now)) {
      end = now;
      period = period == 0 ? 0 : 1;
    }
    ObjectNode next = current.copy();
    stamp(next, end, period);
    return afterGrace(resource, store.put(resource.storage(), Metadata.canonical(next)), period);
  }

  private Outcome afterGrace(Resource resource, StoredObject marked, long grace) {
    return grace > 0 ? new Outcome(marked, false) : finish(resource, marked, marked);
  }

  /**
   * Removes what no finalizer holds. {@code marked} is written already if it differs from {@code
   * current}.
   */
  private Outcome finish(Resource resource, StoredObject current, StoredObject marked) {
    if (!Metadata.finalizers(Json.view(current.json(), "metadata")).isEmpty()) {
      return new Outcome(marked, false);
    }
    return new Outcome(store.remove(resource.storage(), marked), true);
  }

  /**
   * Writes the deletion mark. An object without grace and without finalizers is not worth the
   * write: the real server removes it at once.
   */
  private StoredObject mark(Resource resource, StoredObject current, long grace) {
    boolean held = !Metadata.finalizers(Json.view(current.json(), "metadata")).isEmpty();
    boolean graceful =
        resource.strategy().gracePeriod(current.json(), OptionalLong.empty()).isPresent();
    if (!graceful && !held) {
      return current;
    }
    ObjectNode next = current.copy();
    ObjectNode metadata = Json.child(next, "metadata");
    stamp(next, clock.instant().plus(Duration.ofSeconds(grace)), grace);
    if (metadata.has("generation")) {
      metadata.put("generation", metadata.path("generation").asInt() + 1);
    }
    return store.put(resource.storage(), Metadata.canonical(next));
  }

  private static void stamp(ObjectNode object, Instant when, long grace) {
    Json.child(object, "metadata").put(TIMESTAMP, Metadata.time(when)).put(GRACE, grace);
  }

  /** Whether an update has taken away the last thing that held a terminating object. */
  static boolean completesDeletion(ObjectNode next) {
    ObjectNode metadata = Json.view(next, "metadata");
    return metadata.has(TIMESTAMP)
        && metadata.path(GRACE).asLong(-1) == 0
        && Metadata.finalizers(metadata).isEmpty();
  }
}
