package dev.vertlet.api.route;

import dev.vertlet.bus.Addresses;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.PodQuery;
import dev.vertlet.bus.PodQueryResult;
import dev.vertlet.bus.PodQueryResult.Known;
import dev.vertlet.bus.Shards;
import dev.vertlet.model.pod.PodView;
import io.vertx.core.Future;
import java.util.List;

/** Asks the shards for pods. */
public final class PodLookup {
  private final Bus bus;
  private final Shards shards;
  private final List<Integer> all;

  /**
   * @param all shards that may have a node
   */
  public PodLookup(Bus bus, Shards shards, List<Integer> all) {
    this.bus = bus;
    this.shards = shards;
    this.all = List.copyOf(all);
  }

  /**
   * Finds a pod by name.
   *
   * @param node node of the pod; empty for any
   * @param uid UID of the pod; empty for any
   * @return fails with 404
   */
  Future<PodView> find(String node, String namespace, String name, String uid) {
    return ask(new PodQuery(node, namespace, name)).compose(known -> pick(known, uid));
  }

  private static Future<PodView> pick(List<Known> known, String uid) {
    if (known.isEmpty()) {
      return Future.failedFuture(new HttpFailure(404, "pod does not exist"));
    }
    return known.stream()
        .filter(pod -> pod.is(uid))
        .findFirst()
        .map(pod -> Future.succeededFuture(pod.pod()))
        .orElseGet(() -> Future.failedFuture(new HttpFailure(404, "pod not found")));
  }

  Future<List<PodView>> of(String node) {
    return ask(new PodQuery(node, "", "")).map(known -> known.stream().map(Known::pod).toList());
  }

  private Future<List<Known>> ask(PodQuery asked) {
    List<Integer> those = asked.node().isEmpty() ? all : List.of(shards.of(asked.node()));
    List<Future<PodQueryResult>> answers =
        those.stream().map(shard -> bus.ask(Addresses.POD_QUERY.shard(shard), asked)).toList();
    return Future.all(answers)
        .map(v -> answers.stream().flatMap(answer -> answer.result().pods().stream()).toList());
  }
}
