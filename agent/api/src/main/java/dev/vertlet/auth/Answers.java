package dev.vertlet.auth;

import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Caches answers of the API server and merges concurrent queries for the same key. Any client can
 * cause negative answers, so they never evict positive ones, and each client has a share of the
 * pending queries. Confined to one context.
 */
final class Answers<K, V> {
  /** Pending queries in total: they lengthen the queue to the API server. */
  static final int QUESTIONS = 256;

  /** Queries of these that are reserved for clients with a recent positive answer. */
  static final int RESERVED = 64;

  /** Pending queries per client. */
  static final int QUESTIONS_OF_CLIENT = 32;

  /** Waiting requests per client; several may wait for one query. */
  static final int WAITING_OF_CLIENT = 256;

  /** Cached answers of each kind. Keys are hashes or a few names: a few hundred bytes each. */
  private static final int CAPACITY = 8192;

  private static final int CLIENTS = 1024;
  private static final Duration KNOWN_CLIENT = Duration.ofMinutes(10);

  private final ExpiringCache<K, V> yes;
  private final ExpiringCache<K, V> no;
  private final ExpiringCache<String, Boolean> welcome;
  private final Predicate<V> isYes;
  private final Duration yesTtl;
  private final Duration noTtl;
  private final Map<K, Future<V>> onTheirWay = new HashMap<>();
  private final Map<String, Share> shares = new HashMap<>();

  /** Pending queries and requests of one client. */
  private static final class Share {
    private int questions;
    private int waiting;
  }

  /**
   * @param isYes whether an answer is positive
   * @param yesTtl lifetime of a positive answer
   * @param noTtl lifetime of a negative answer
   */
  Answers(Clock clock, Predicate<V> isYes, Duration yesTtl, Duration noTtl) {
    this.yes = new ExpiringCache<>(CAPACITY, clock);
    this.no = new ExpiringCache<>(CAPACITY, clock);
    this.welcome = new ExpiringCache<>(CLIENTS, clock);
    this.isYes = isYes;
    this.yesTtl = yesTtl;
    this.noTtl = noTtl;
  }

  /**
   * Returns the cached answer or queries for it.
   *
   * @param client owner of the share: an address or an authenticated user
   * @return fails with {@link BusyException} when the share is used up, else as {@code ask} does;
   *     failures are not cached
   */
  Future<V> get(K key, String client, Supplier<Future<V>> ask) {
    Optional<V> answer = yes.get(key).or(() -> no.get(key));
    if (answer.isPresent()) {
      return Future.succeededFuture(answer.get());
    }
    Future<V> asked = onTheirWay.get(key);
    Optional<BusyException> busy = busy(client, asked == null);
    if (busy.isPresent()) {
      return Future.failedFuture(busy.get());
    }
    Future<V> question = asked == null ? ask(key, client, ask) : asked;
    if (question.isComplete()) {
      return question;
    }
    Share share = share(client);
    share.waiting++;
    return question.onComplete(
        done -> {
          share.waiting--;
          if (done.succeeded() && isYes.test(done.result())) {
            welcome.put(client, true, KNOWN_CLIENT);
          }
          drop(client, share);
        });
  }

  private Optional<BusyException> busy(String client, boolean fresh) {
    Share share = shares.get(client);
    if (share != null && share.waiting >= WAITING_OF_CLIENT) {
      return Optional.of(
          new BusyException(WAITING_OF_CLIENT + " requests of this client wait for an answer"));
    }
    if (!fresh) {
      return Optional.empty();
    }
    if (share != null && share.questions >= QUESTIONS_OF_CLIENT) {
      return Optional.of(
          new BusyException(
              QUESTIONS_OF_CLIENT + " questions of this client wait for the API server already"));
    }
    int most = welcome.get(client).isPresent() ? QUESTIONS : QUESTIONS - RESERVED;
    return onTheirWay.size() < most
        ? Optional.empty()
        : Optional.of(new BusyException(most + " questions wait for the API server already"));
  }

  private Future<V> ask(K key, String client, Supplier<Future<V>> ask) {
    Share share = share(client);
    share.questions++;
    Future<V> fresh = ask.get();
    if (!fresh.isComplete()) {
      onTheirWay.put(key, fresh);
    }
    return fresh.onComplete(
        done -> {
          onTheirWay.remove(key);
          share.questions--;
          drop(client, share);
          if (done.succeeded()) {
            remember(key, done.result());
          }
        });
  }

  private void remember(K key, V answer) {
    if (isYes.test(answer)) {
      no.remove(key);
      yes.put(key, answer, yesTtl);
    } else {
      no.put(key, answer, noTtl);
    }
  }

  private Share share(String client) {
    return shares.computeIfAbsent(client, name -> new Share());
  }

  private void drop(String client, Share share) {
    if (share.questions == 0 && share.waiting == 0) {
      shares.remove(client, share);
    }
  }
}
