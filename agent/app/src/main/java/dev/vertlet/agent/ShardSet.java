package dev.vertlet.agent;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.vertlet.eventloop.EventLoops;
import dev.vertlet.provider.failure.ProviderCall;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** The shards of an agent. */
record ShardSet(List<Shard> all, EventLoops loops) {
  /** Additional time for a provider that keeps the limit itself. */
  private static final Duration DRAIN_SLACK = Duration.ofMillis(200);

  /** Deploys the loops of the shards, except for the main loop. */
  Future<?> deployLoops() {
    return Future.all(
        all.stream()
            .map(Shard::loop)
            .filter(loop -> loop != loops.main())
            .map(loops::deploy)
            .toList());
  }

  /** Adds one verticle to each shard; they leave in parallel. */
  Future<?> addToEach(Function<Shard, Deployable> verticle) {
    return loops.addToEach(all, Shard::loop, verticle);
  }

  /**
   * Ends the pods of all shards.
   *
   * @return completes when they have ended; fails when a provider takes longer than {@code limit}
   */
  Future<?> drain(Duration limit) {
    return Future.join(
        all.stream()
            .map(
                shard ->
                    shard
                        .loop()
                        .call(() -> ProviderCall.ask(() -> shard.provider().drain(limit)))
                        .compose(drained -> drained)
                        .timeout(limit.plus(DRAIN_SLACK).toMillis(), MILLISECONDS))
            .toList());
  }
}
