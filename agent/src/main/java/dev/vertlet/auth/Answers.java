package dev.vertlet.auth;

import io.vertx.core.Future;
import io.vertx.core.VertxException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Answers of the API server: each is remembered for its time, and whoever asks while the same
 * question is on its way waits for that one. Confined to one context.
 */
final class Answers<K, V> {
  /** Keys are hashes or a few names: some hundred bytes each. */
  private static final int CAPACITY = 8192;

  /**
   * Different questions on their way. Credentials that are made up must not grow without limit what
   * waits for the API server.
   */
  private static final int MOST_ON_THEIR_WAY = 256;

  private final ExpiringCache<K, V> known;
  private final Function<V, Duration> ttl;
  private final Map<K, Future<V>> onTheirWay = new HashMap<>();

  /**
   * @param ttl how long an answer holds
   */
  Answers(Clock clock, Function<V, Duration> ttl) {
    this.known = new ExpiringCache<>(CAPACITY, clock);
    this.ttl = ttl;
  }

  /**
   * The answer that is known, else a new one.
   *
   * @return fails as {@code ask} does, which is not remembered
   */
  Future<V> get(K key, Supplier<Future<V>> ask) {
    Optional<V> answer = known.get(key);
    if (answer.isPresent()) {
      return Future.succeededFuture(answer.get());
    }
    Future<V> asked = onTheirWay.get(key);
    if (asked != null) {
      return asked;
    }
    if (onTheirWay.size() >= MOST_ON_THEIR_WAY) {
      return Future.failedFuture(
          VertxException.noStackTrace(
              MOST_ON_THEIR_WAY + " questions wait for the API server already"));
    }
    Future<V> fresh = ask.get();
    if (!fresh.isComplete()) {
      onTheirWay.put(key, fresh);
    }
    return fresh.onComplete(
        done -> {
          onTheirWay.remove(key);
          if (done.succeeded()) {
            known.put(key, done.result(), ttl.apply(done.result()));
          }
        });
  }
}
