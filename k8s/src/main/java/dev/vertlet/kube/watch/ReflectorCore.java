package dev.vertlet.kube.watch;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.Failures;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.Recovery;
import dev.vertlet.kube.watch.ReflectorState.Idle;
import dev.vertlet.kube.watch.ReflectorState.Listing;
import dev.vertlet.kube.watch.ReflectorState.Streaming;
import dev.vertlet.kube.watch.ReflectorState.Watching;
import dev.vertlet.model.KubeObject;
import dev.vertlet.model.ListPage;
import dev.vertlet.model.WatchEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Makes every decision of a {@link Reflector}, without a clock, a timer or a socket: takes events,
 * returns the next {@link Step} and calls the listener.
 *
 * @param <T> the view
 */
final class ReflectorCore<T extends KubeObject> {
  /** client-go resets its reflector back-off after 2 min without a failure. */
  static final Duration HEALTHY = Duration.ofMinutes(2);

  /** client-go's "very short watch": a watch that ends immediately, without events. */
  static final Duration SHORTEST_WATCH = Duration.ofSeconds(1);

  /**
   * Delay after watches that end immediately, without events. The server cuts a watch of one node's
   * pods when it cannot send as few as ten of its events within a twentieth of a second, which
   * bursts cause again and again: the delay of a failure would stop the node in the middle of a
   * burst.
   */
  private static final Backoff AFTER_CUTS =
      new Backoff(Duration.ofMillis(50), Duration.ofSeconds(30), 2, 1);

  /**
   * Consecutive failures at one resourceVersion after which it is given up: the server may never
   * reach it again (a restored etcd).
   */
  private static final int STUCK = 5;

  private final KubePath path;
  private final ReflectorIndex<T> index;
  private final ReflectorListener<T> listener;
  private final Backoff backoff;
  private final RandomGenerator random;
  private final boolean paged;
  private ReflectorState state = new Idle();
  private boolean streamingOffered;
  private boolean listOnce;
  private boolean synced;
  private int attempts;
  private int failuresHere;
  private int cuts;
  private Instant lastFailure = Instant.MIN;

  /** The back-off of the last failure ends when the server works again. */
  private boolean endsWithReturn = true;

  private boolean eventSinceOpen;

  /**
   * Next action.
   *
   * @param next state to enter
   * @param after delay before entering it, zero for none
   */
  record Step(ReflectorState next, Duration after) {}

  /**
   * Creates the core of one reflector.
   *
   * @param streaming whether to try the streaming initial list
   */
  ReflectorCore(
      ListWatch<T> what,
      ReflectorListener<T> listener,
      Backoff backoff,
      RandomGenerator random,
      boolean streaming) {
    this.path = what.path();
    this.listener = listener;
    this.index = new ReflectorIndex<>(listener);
    this.backoff = backoff;
    this.random = random;
    this.paged = what.pageSize() > 0;
    this.streamingOffered = streaming;
  }

  ReflectorState state() {
    return state;
  }

  boolean synced() {
    return synced;
  }

  int size() {
    return index.size();
  }

  /** Failures since the last healthy period. */
  int attempts() {
    return attempts;
  }

  Step start() {
    return new Step(firstList(), Duration.ZERO);
  }

  void stop() {
    state = new Idle();
  }

  /** Delivers every known object as deleted. */
  void withdraw() {
    index.clear();
  }

  /** First state of a new list, when the index may be stale. */
  ReflectorState relist() {
    return firstList();
  }

  /** The I/O of {@code next} begins. */
  void entered(ReflectorState next) {
    if (next.beginsList()) {
      index.beginList();
    }
    state = next;
    eventSinceOpen = false;
  }

  /** Handles one page of a list. */
  Step listed(ListPage<T> page) {
    page.items().forEach(index::upserted);
    String more = page.continueToken();
    if (more != null) {
      return new Step(new Listing(more, true), Duration.ZERO);
    }
    listOnce = false;
    listComplete();
    return new Step(new Watching(page.resourceVersion()), Duration.ZERO);
  }

  /**
   * Handles one event of the open stream.
   *
   * @return why the stream must be left, empty if it goes on
   */
  Optional<KubeException> received(WatchEvent<T> event) {
    eventSinceOpen = true;
    if (event instanceof WatchEvent.Upsert<T> upsert) {
      if (isNews(upsert.object())) {
        index.upserted(upsert.object());
        advance(upsert.object().resourceVersion());
      }
    } else if (event instanceof WatchEvent.Deleted<T> deleted) {
      if (isNews(deleted.object())) {
        index.deleted(deleted.object());
        advance(deleted.object().resourceVersion());
      }
    } else if (event instanceof WatchEvent.Bookmark<T> bookmark) {
      bookmark(bookmark);
    } else if (event instanceof WatchEvent.Failure<T> f) {
      return Optional.of(Failures.event(path, f.code(), f.reason(), f.message(), f.retryAfter()));
    }
    return Optional.empty();
  }

  /**
   * The server closed the stream regularly.
   *
   * @param open how long it was open
   */
  Step ended(Duration open, Instant now) {
    if (state instanceof Watching) {
      cuts = isHealthy(open) ? 0 : cuts + 1;
      return new Step(state, cuts == 0 ? Duration.ZERO : AFTER_CUTS.delay(cuts, random));
    }
    return failed(
        new KubeException(
            KubeException.Kind.TRANSPORT,
            0,
            "watch " + path.path() + ": the server closed it before its list was whole",
            null,
            null),
        now);
  }

  /** Whether a watch that ends after {@code open} may be reopened without a delay. */
  boolean isHealthy(Duration open) {
    return state instanceof Watching && (eventSinceOpen || open.compareTo(SHORTEST_WATCH) >= 0);
  }

  /** A list or a watch failed. */
  Step failed(KubeException failure, Instant now) {
    if (state instanceof Streaming && failure.kind() == KubeException.Kind.INVALID) {
      streamingOffered = false; // no failure: the server does not support streaming lists
      return new Step(firstList(), Duration.ZERO);
    }
    if (now.isAfter(lastFailure.plus(HEALTHY))) {
      attempts = 0;
      failuresHere = 0;
    }
    lastFailure = now;
    if (eventSinceOpen) {
      failuresHere = 0;
    }
    endsWithReturn = failure.endsWithReturn();
    attempts++;
    failuresHere++;
    boolean firstExpiry = attempts == 1 && failure.kind() == KubeException.Kind.EXPIRED;
    return new Step(next(failure), firstExpiry ? Duration.ZERO : delay(failure));
  }

  private ReflectorState next(KubeException failure) {
    KubeException.Kind kind = failure.kind();
    if (kind == KubeException.Kind.DECODE) {
      // a stream would send the same bytes again; a list has no limit per object
      listOnce = true;
      return firstList();
    }
    if (kind == KubeException.Kind.EXPIRED) {
      boolean whilePaging = state instanceof Listing;
      return whilePaging ? new Listing(null, false) : firstList();
    }
    boolean stuck = state instanceof Watching && failuresHere >= STUCK && failure.status() != 0;
    return state instanceof Watching && !stuck ? state : firstList();
  }

  /**
   * Attributes the failures so far to the server's outage: the next failure counts as the first.
   *
   * @return whether the back-off ends
   */
  boolean serverReturned() {
    if (endsWithReturn) {
      attempts = 0;
    }
    return endsWithReturn;
  }

  /** The initial events never ended: this server does not support streaming lists. */
  Step streamingSilent(Instant now) {
    streamingOffered = false;
    return failed(
        new KubeException(
            KubeException.Kind.TIMEOUT,
            0,
            "watch " + path.path() + ": the initial list did not end; listing instead",
            null,
            null),
        now);
  }

  private Duration delay(KubeException failure) {
    return failure.recovery() == Recovery.AUTHORIZE
        ? backoff.delay(Integer.MAX_VALUE, random)
        : backoff.delay(attempts, random, failure);
  }

  private ReflectorState firstList() {
    return streamingOffered && !listOnce ? new Streaming() : new Listing(null, paged);
  }

  /**
   * Whether an object is new: a watch delivers objects newer than its start; others are
   * repetitions.
   */
  private boolean isNews(KubeObject object) {
    return !(state instanceof Watching watching)
        || object.resourceVersion() > watching.resourceVersion();
  }

  private void bookmark(WatchEvent.Bookmark<T> bookmark) {
    if (state instanceof Watching) {
      advance(bookmark.resourceVersion());
    } else if (bookmark.initialEventsEnd()) {
      listComplete();
      state = new Watching(bookmark.resourceVersion());
    }
  }

  private void advance(long resourceVersion) {
    if (state instanceof Watching watching && resourceVersion > watching.resourceVersion()) {
      state = new Watching(resourceVersion);
    }
  }

  private void listComplete() {
    index.endList();
    if (!synced) {
      synced = true;
      listener.synced();
    }
  }
}
