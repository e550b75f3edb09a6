package dev.vertlet.apiserver.disruption;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Conditions;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.control.Cluster;
import dev.vertlet.apiserver.control.Deadlines;
import dev.vertlet.apiserver.control.WorkQueue;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.store.StoreEvent;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/** Follows budgets and pods. */
public final class DisruptionController {
  /** After so long an eviction that was granted and did not happen counts no more. */
  private static final Duration DISRUPTION_TIMEOUT = Duration.ofMinutes(2);

  private record Key(String namespace, String name) {}

  private final Cluster cluster;
  private final Resource budgets;
  private final Map<String, Map<Key, GuardedPods>> byNamespace = new HashMap<>();
  private final WorkQueue<Key> queue;
  private final Deadlines<Key> rechecks;

  public DisruptionController(Cluster cluster) {
    this.cluster = cluster;
    this.budgets = cluster.resource("poddisruptionbudgets");
    this.queue = new WorkQueue<>(cluster, this::sync);
    this.rechecks = new Deadlines<>(cluster.clock(), cluster, queue::add);
  }

  public void start() {
    cluster.follow(budgets, this::budgetSeen, this::budgetChanged);
    cluster.follow(cluster.pods(), pod -> {}, this::podChanged);
  }

  private void budgetChanged(StoreEvent event) {
    event
        .after()
        .ifPresentOrElse(
            this::budgetSeen,
            () -> {
              Key key = key(event.gone());
              Map<Key, GuardedPods> siblings = byNamespace.getOrDefault(key.namespace(), Map.of());
              if (siblings.remove(key) != null && siblings.isEmpty()) {
                byNamespace.remove(key.namespace());
              }
              rechecks.remove(key);
            });
  }

  private static Key key(StoredObject budget) {
    return new Key(budget.namespace(), budget.name());
  }

  private void budgetSeen(StoredObject budget) {
    Key key = key(budget);
    Map<Key, GuardedPods> siblings =
        byNamespace.computeIfAbsent(key.namespace(), any -> new HashMap<>());
    GuardedPods known = siblings.get(key);
    if (known == null || !known.hasSelector(Json.at(budget.json(), "spec", "selector"))) {
      GuardedPods guarded = new GuardedPods(Json.at(budget.json(), "spec", "selector"));
      cluster.list(cluster.pods(), key.namespace()).forEach(guarded::put);
      siblings.put(key, guarded);
    }
    queue.add(key);
  }

  private void podChanged(StoreEvent event) {
    event
        .after()
        .ifPresentOrElse(
            pod -> tell(pod.namespace(), (guarded, key) -> guarded.put(pod)),
            () ->
                tell(
                    event.gone().namespace(),
                    (guarded, key) -> guarded.remove(event.gone().name())));
  }

  private void tell(String namespace, BiPredicate<GuardedPods, Key> change) {
    byNamespace
        .getOrDefault(namespace, Map.of())
        .forEach(
            (key, guarded) -> {
              if (change.test(guarded, key)) {
                queue.add(key);
              }
            });
  }

  private void sync(Key key) {
    GuardedPods guarded = byNamespace.getOrDefault(key.namespace(), Map.of()).get(key);
    StoredObject found = cluster.find(budgets, key.namespace(), key.name()).orElse(null);
    if (guarded == null || found == null) {
      return;
    }
    ObjectNode disrupted = stillDisrupted(key, found, guarded);
    List<String> names = disrupted.properties().stream().map(Map.Entry::getKey).toList();
    Budget budget =
        Budget.of(found.json().path("spec"), guarded.healthyBut(names), guarded.count());
    int generation = Json.at(found.json(), "metadata", "generation").asInt();
    cluster.editStatus(
        budgets, found, view -> write(Json.child(view, "status"), budget, disrupted, generation));
  }

  /** Granted evictions that have neither happened nor timed out. */
  private ObjectNode stillDisrupted(Key key, StoredObject found, GuardedPods guarded) {
    ObjectNode still = Json.object();
    Instant now = cluster.clock().instant();
    Json.at(found.json(), "status", "disruptedPods")
        .properties()
        .forEach(
            entry -> {
              Instant end = Instant.parse(entry.getValue().asText()).plus(DISRUPTION_TIMEOUT);
              if (guarded.isAlive(entry.getKey()) && end.isAfter(now)) {
                still.set(entry.getKey(), entry.getValue());
                rechecks.putIfAbsent(key, end);
              }
            });
    return still;
  }

  private void write(ObjectNode status, Budget budget, ObjectNode disrupted, int generation) {
    status
        .put("currentHealthy", budget.currentHealthy())
        .put("desiredHealthy", budget.desiredHealthy())
        .put("expectedPods", budget.expectedPods())
        .put("disruptionsAllowed", budget.disruptionsAllowed())
        .put("observedGeneration", generation);
    if (disrupted.isEmpty()) {
      status.remove("disruptedPods");
    } else {
      status.set("disruptedPods", disrupted);
    }
    boolean allowed = budget.disruptionsAllowed() > 0;
    Conditions.set(
        status,
        Json.object()
            .put("type", "DisruptionAllowed")
            .put("status", allowed ? "True" : "False")
            .put("observedGeneration", generation)
            .put("lastTransitionTime", cluster.timestamp())
            .put("reason", allowed ? "SufficientPods" : "InsufficientPods")
            .put("message", ""));
  }
}
