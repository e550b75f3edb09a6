package dev.vertlet.kube;

import dev.vertlet.kube.ReflectorState.Listing;
import dev.vertlet.kube.ReflectorState.Streaming;
import dev.vertlet.kube.ReflectorState.Watching;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.KubeObject;
import dev.vertlet.model.ListPage;
import dev.vertlet.model.WatchEvent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows one kind of object: a list once, then watches without end. Runs on the client's context;
 * the listener is called in order on the context that called {@link #start}.
 *
 * <p>Guaranteed: see {@link ReflectorListener}; and never a dead watch: silence, errors, cuts and
 * undecodable events all lead to the next attempt, with back-off. Not guaranteed: every
 * intermediate state of an object.
 *
 * @param <T> the view
 */
public final class Reflector<T extends KubeObject> {
  private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);

  /** client-go: 800 ms doubling to 30 s with jitter 1. */
  public static final Backoff DEFAULT_BACKOFF =
      new Backoff(Duration.ofMillis(800), Duration.ofSeconds(30), 2, 1);

  /**
   * An API server sends a bookmark about each minute: 2 × 60 s + 30 s without one, or any event,
   * and the watch is taken for dead.
   */
  private static final Duration SILENCE = Duration.ofSeconds(150);

  /** An initial list that stands still for so long will not end. */
  private static final Duration STREAMING_SILENCE = Duration.ofSeconds(30);

  private final KubeClient client;
  private final ListWatch<T> what;
  private final ReflectorListener<T> listener;
  private final RandomGenerator random;
  private final Clock clock;
  private final ContextInternal context;
  private final KubeMetrics.OfReflector meters;
  private final Outage outage;
  private final ReflectorCore<T> core;
  private @Nullable ContextInternal listenerContext;
  private @Nullable Promise<Void> firstSync;
  private @Nullable WatchCall call;
  private @Nullable FrameSplitter frames;
  private String contentType = "";
  private Instant opened;
  private volatile Instant lastEvent; // written on the client's loop, read by lastEventAge()
  private volatile boolean synced; // written on the client's loop, read by synced()
  private long timer = -1;
  private long watchdog = -1;
  private int generation;
  private boolean running;
  private boolean listedBefore;

  public Reflector(
      KubeClient client,
      ListWatch<T> what,
      ReflectorListener<T> listener,
      Backoff backoff,
      RandomGenerator random) {
    this(client, what, listener, backoff, random, Clock.systemUTC());
  }

  /**
   * @param random for jitter
   * @param clock for back-off resets and ages
   */
  public Reflector(
      KubeClient client,
      ListWatch<T> what,
      ReflectorListener<T> listener,
      Backoff backoff,
      RandomGenerator random,
      Clock clock) {
    this.client = client;
    this.what = what;
    this.listener = listener;
    this.random = random;
    this.clock = clock;
    this.context = client.context();
    this.meters = client.metrics().reflector(what.path().resource());
    this.outage = new Outage("Watching " + what.name() + " fails");
    this.core = new ReflectorCore<>(what, new OnListenerContext(), backoff, random, true);
    this.opened = clock.instant();
    this.lastEvent = opened;
  }

  /**
   * Begins. The listener is called on the current context from now on.
   *
   * @return completes on the caller's context when the first whole list was delivered; does not
   *     fail while the server is away, it completes late; fails only when stopped before
   */
  public Future<Void> start() {
    ContextInternal caller = (ContextInternal) context.owner().getOrCreateContext();
    Promise<Void> promise = caller.promise();
    context.emit(
        promise,
        p -> {
          if (running) {
            p.fail(new IllegalStateException("reflector " + what.name() + " was started before"));
            return;
          }
          running = true;
          listenerContext = caller;
          firstSync = p;
          perform(core.start());
        });
    return promise.future();
  }

  /** Ends the watch. After the returned Future completes the listener is not called any more. */
  public Future<Void> stop() {
    ContextInternal caller = (ContextInternal) context.owner().getOrCreateContext();
    Promise<Void> promise = caller.promise();
    context.emit(
        promise,
        p -> {
          running = false;
          leave();
          core.stop();
          Promise<Void> waiting = firstSync;
          if (waiting != null && !synced) {
            waiting.tryFail("reflector " + what.name() + " was stopped before it was synced");
          }
          p.complete();
        });
    return promise.future();
  }

  /** Whether the first whole list was delivered. Callable from any context. */
  public boolean synced() {
    return synced;
  }

  /** How long ago the server last said anything here. Callable from any context. */
  public Duration lastEventAge() {
    return Duration.between(lastEvent, clock.instant());
  }

  private void perform(ReflectorCore.Step step) {
    int mine = ++generation;
    if (step.after().isZero()) {
      enter(step.next());
      return;
    }
    timer =
        context.setTimer(
            Math.max(1, step.after().toMillis()),
            id -> {
              if (running && generation == mine) {
                enter(step.next());
              }
            });
  }

  private void enter(ReflectorState next) {
    core.entered(next);
    if (next instanceof Listing listing) {
      list(listing);
    } else if (next instanceof Watching watching) {
      watch("&resourceVersion=" + watching.resourceVersion());
    } else if (next instanceof Streaming) {
      watch("&sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
    }
  }

  private void list(Listing listing) {
    int mine = generation;
    StringBuilder query = new StringBuilder(selectors());
    if (listing.paged()) {
      query.append("&limit=").append(what.pageSize());
    }
    if (listing.continueToken() != null) {
      query.append("&continue=").append(encode(listing.continueToken()));
    }
    KubeRequest request =
        new KubeRequest(
            Lane.NODE,
            Verb.LIST,
            what.path(),
            query.isEmpty() ? "" : query.substring(1),
            null,
            null,
            what.decoder().acceptList(client.options().protobuf()),
            null);
    client
        .send(request)
        .map(this::decode)
        .onSuccess(
            page -> {
              if (running && generation == mine) {
                listed(page);
              }
            })
        .onFailure(
            e -> {
              if (running && generation == mine) {
                failed(Failures.transport(Verb.LIST, what.path(), e));
              }
            });
  }

  private ListPage<T> decode(KubeResponse response) {
    try {
      return what.decoder().decodeList(response.contentType(), response.body());
    } catch (DecodeException e) {
      meters.decodeErrors.increment();
      throw Failures.decode(what.path(), e);
    }
  }

  private void listed(ListPage<T> page) {
    lastEvent = clock.instant();
    ReflectorCore.Step step = core.listed(page);
    if (page.continueToken() == null) {
      listComplete();
    }
    perform(step);
  }

  private void watch(String position) {
    int mine = generation;
    opened = clock.instant();
    long seconds = Math.max(1, what.watchTimeout().toSeconds());
    long jittered = seconds + random.nextLong(seconds + 1);
    String query =
        "watch=1&allowWatchBookmarks=true&timeoutSeconds=" + jittered + position + selectors();
    armWatchdog();
    call =
        client.watch(
            what.path(),
            query,
            what.decoder().acceptWatch(client.options().protobuf()),
            new WatchCall.Receiver() {
              @Override
              public void opened(String type) {
                if (generation == mine) {
                  accepted(type);
                }
              }

              @Override
              public void received(Buffer bytes) {
                if (generation == mine) {
                  feed(bytes);
                }
              }

              @Override
              public void ended() {
                if (generation == mine) {
                  closed();
                }
              }

              @Override
              public void failed(KubeException failure) {
                if (generation == mine) {
                  Reflector.this.failed(failure);
                }
              }
            });
  }

  private void accepted(String type) {
    contentType = type;
    opened = clock.instant();
    meters.watches.increment();
    frames = FrameSplitter.of(type, what.maxEventBytes(), this::frame);
  }

  private void feed(Buffer bytes) {
    lastEvent = clock.instant();
    FrameSplitter splitter = frames;
    if (splitter == null) {
      return;
    }
    try {
      splitter.feed(bytes);
    } catch (FrameSplitter.FrameTooLongException | DecodeException e) {
      meters.decodeErrors.increment();
      failed(Failures.decode(what.path(), e));
    }
  }

  private void frame(Buffer bytes) {
    if (!running || frames == null) {
      return; // the frame before this one ended the watch
    }
    meters.events.increment();
    boolean before = core.synced() && core.state() instanceof Watching;
    WatchEvent<T> event = what.decoder().decodeEvent(contentType, bytes);
    Optional<KubeException> end = core.received(event);
    if (!before && core.state() instanceof Watching) {
      listComplete();
    }
    end.ifPresent(this::failed);
  }

  private void closed() {
    Duration open = Duration.between(opened, clock.instant());
    leave();
    perform(core.ended(open, clock.instant()));
  }

  private void failed(KubeException failure) {
    leave();
    ReflectorCore.Step step = core.failed(failure, clock.instant());
    report(failure, step);
    perform(step);
  }

  /** The client tells when the server is away; here is told what only this watch suffers from. */
  private void report(KubeException failure, ReflectorCore.Step step) {
    boolean routine = failure.kind() == KubeException.Kind.EXPIRED || step.after().isZero();
    if (failure.kind() == KubeException.Kind.TRANSPORT || routine) {
      LOG.debug("{}: {}, next try in {}", what.name(), failure.getMessage(), step.after());
      return;
    }
    outage.failed(clock.instant(), failure.getMessage()).ifPresent(LOG::warn);
  }

  private void listComplete() {
    meters.lists.increment();
    outage
        .succeeded(clock.instant())
        .ifPresent(line -> LOG.info("Watching {} works again: {}", what.name(), line));
    if (listedBefore) {
      meters.relists.increment();
    }
    listedBefore = true;
    LOG.debug("{}: whole list of {} objects", what.name(), core.size());
  }

  /** Leaves the open stream, if any, without a further word from it. */
  private void leave() {
    generation++;
    context.owner().cancelTimer(timer);
    context.owner().cancelTimer(watchdog);
    frames = null;
    WatchCall open = call;
    call = null;
    if (open != null) {
      open.close();
    }
  }

  private void armWatchdog() {
    context.owner().cancelTimer(watchdog);
    int mine = generation;
    Duration limit = core.state() instanceof Streaming ? STREAMING_SILENCE : SILENCE;
    Duration left = limit.minus(lastHeard());
    watchdog =
        context.setTimer(
            Math.max(1, left.toMillis()),
            id -> {
              if (running && generation == mine) {
                check(limit);
              }
            });
  }

  private Duration lastHeard() {
    Instant heard = lastEvent.isAfter(opened) ? lastEvent : opened;
    return Duration.between(heard, clock.instant());
  }

  private void check(Duration limit) {
    if (lastHeard().compareTo(limit) < 0) {
      armWatchdog();
    } else if (core.state() instanceof Streaming) {
      leave();
      perform(core.streamingSilent(clock.instant()));
    } else {
      failed(
          new KubeException(
              KubeException.Kind.TIMEOUT,
              0,
              "watch %s: nothing came for %d s".formatted(what.path().path(), limit.toSeconds()),
              null,
              null));
    }
  }

  private String selectors() {
    StringBuilder query = new StringBuilder();
    if (!what.fieldSelector().isEmpty()) {
      query.append("&fieldSelector=").append(encode(what.fieldSelector()));
    }
    if (!what.labelSelector().isEmpty()) {
      query.append("&labelSelector=").append(encode(what.labelSelector()));
    }
    return query.toString();
  }

  private static String encode(@Nullable String text) {
    return URLEncoder.encode(String.valueOf(text), StandardCharsets.UTF_8);
  }

  /** Hands every call over to the context of the listener: in place when it is on this loop. */
  private final class OnListenerContext implements ReflectorListener<T> {
    @Override
    public void upserted(T object) {
      hand(() -> listener.upserted(object));
    }

    @Override
    public void deleted(Tombstone object) {
      hand(() -> listener.deleted(object));
    }

    @Override
    public void synced() {
      hand(
          () -> {
            synced = true;
            listener.synced();
          });
      Promise<Void> waiting = firstSync;
      if (waiting != null) {
        waiting.tryComplete();
      }
    }

    private void hand(Runnable delivery) {
      ContextInternal target = listenerContext;
      if (target != null && running) {
        target.emit(delivery, Runnable::run);
      }
    }
  }
}
