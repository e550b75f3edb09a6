package dev.vertlet.server;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Asks event loops whether they still turn. Nothing runs while nobody asks, so that an idle agent
 * stays idle.
 */
public final class Liveness {
  /** Probes time out after 1 s by default; a loop that is late by more serves nobody. */
  public static final Duration PATIENCE = Duration.ofMillis(900);

  /** Filled by the contexts as they start, read by the one that serves probes. */
  private final Map<String, Context> contexts = new ConcurrentSkipListMap<>();

  private final Duration patience;

  public Liveness() {
    this(PATIENCE);
  }

  Liveness(Duration patience) {
    this.patience = patience;
  }

  /**
   * Has this context asked from now on. Any thread.
   *
   * @param name for people; a second context of one name replaces the first
   */
  public void watch(String name, Context context) {
    contexts.put(name, context);
  }

  /** Asks no longer. Any thread. */
  public void forget(String name) {
    contexts.remove(name);
  }

  /**
   * The names of the contexts that do not answer in time; never fails.
   *
   * @param own the caller's context, on which the answer comes
   */
  Future<List<String>> stuck(Context own) {
    Set<String> silent = new TreeSet<>(contexts.keySet());
    Promise<List<String>> answer = Promise.promise();
    if (silent.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    long timer =
        own.owner()
            .setTimer(patience.toMillis(), expired -> answer.tryComplete(List.copyOf(silent)));
    contexts.forEach(
        (name, context) ->
            context.runOnContext(
                turned -> own.runOnContext(back -> heard(own, name, silent, answer, timer))));
    return answer.future();
  }

  private static void heard(
      Context own, String name, Set<String> silent, Promise<List<String>> answer, long timer) {
    silent.remove(name);
    if (silent.isEmpty() && answer.tryComplete(List.of())) {
      own.owner().cancelTimer(timer);
    }
  }
}
