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
import java.util.function.LongSupplier;

/** Checks that event loops respond, and records when each last did. */
public final class Liveness {
  /** Interval of the checks, rare enough to keep an idle agent idle. */
  private static final Duration TURN = Duration.ofSeconds(10);

  /** Time limit of a check: probes time out after 1 s by default. */
  public static final Duration PATIENCE = Duration.ofMillis(900);

  /** Watched contexts; each adds itself, and the context that serves probes reads them. */
  private final Map<String, Context> contexts = new ConcurrentSkipListMap<>();

  /** Time of each context's last response by {@link #nanos}; the contexts write it. */
  private final Map<String, Long> turns = new ConcurrentSkipListMap<>();

  private final Duration patience;
  private final Duration limit;
  private final LongSupplier nanos;

  /**
   * @param limit time without a response after which {@link #overdue} names a context
   */
  public Liveness(Duration limit) {
    this(PATIENCE, limit, System::nanoTime);
  }

  Liveness(Duration patience, Duration limit, LongSupplier nanos) {
    this.patience = patience;
    this.limit = limit;
    this.nanos = nanos;
  }

  /**
   * Watches a context. Thread-safe.
   *
   * @param name name in messages; a second context of the same name replaces the first
   */
  public void watch(String name, Context context) {
    contexts.put(name, context);
    turns.put(name, nanos.getAsLong());
    context.runOnContext(turned -> turn(name, context));
  }

  private void turn(String name, Context context) {
    if (contexts.get(name) == context) {
      turns.put(name, nanos.getAsLong());
      context.owner().setTimer(TURN.toMillis(), id -> turn(name, context));
    }
  }

  /** Stops watching a context. Thread-safe. */
  public void forget(String name) {
    contexts.remove(name);
    turns.remove(name);
  }

  /** Returns the names of contexts that have not responded within the limit. Thread-safe. */
  public List<String> overdue() {
    long now = nanos.getAsLong();
    return turns.entrySet().stream()
        .filter(turn -> now - turn.getValue() > limit.toNanos())
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Checks all contexts and returns the names of those that do not respond in time; never fails.
   *
   * @param own caller's context, on which the result completes
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
