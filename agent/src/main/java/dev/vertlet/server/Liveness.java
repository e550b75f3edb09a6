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

/** Asks event loops whether they still turn, and knows when each last did. */
public final class Liveness {
  /** An idle agent stays idle; a kubelet's loop is missed after minutes. */
  private static final Duration TURN = Duration.ofSeconds(10);

  /** Probes time out after 1 s by default; a loop that is late by more serves nobody. */
  public static final Duration PATIENCE = Duration.ofMillis(900);

  /** Filled by the contexts as they start, read by the one that serves probes. */
  private final Map<String, Context> contexts = new ConcurrentSkipListMap<>();

  /** When each last turned, by {@link #nanos}. Written by the contexts, read by that one. */
  private final Map<String, Long> turns = new ConcurrentSkipListMap<>();

  private final Duration patience;
  private final Duration limit;
  private final LongSupplier nanos;

  /**
   * @param limit how long a loop may not turn before {@link #overdue} names it
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
   * Has this context asked from now on. Any thread.
   *
   * @param name for people; a second context of one name replaces the first
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

  /** Asks no longer. Any thread. */
  public void forget(String name) {
    contexts.remove(name);
    turns.remove(name);
  }

  /** The names of the contexts that have not turned for longer than they may. Any thread. */
  public List<String> overdue() {
    long now = nanos.getAsLong();
    return turns.entrySet().stream()
        .filter(turn -> now - turn.getValue() > limit.toNanos())
        .map(Map.Entry::getKey)
        .toList();
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
