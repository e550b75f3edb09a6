package dev.vertlet.kube.watch;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.Failures;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.Outage;
import dev.vertlet.kube.SteadyClock;
import dev.vertlet.kube.Verb;
import dev.vertlet.kube.client.EventStream;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeMetrics;
import dev.vertlet.kube.watch.ReflectorCore.Step;
import dev.vertlet.kube.watch.ReflectorState.Listing;
import dev.vertlet.kube.watch.ReflectorState.Streaming;
import dev.vertlet.kube.watch.ReflectorState.Watching;
import dev.vertlet.model.KubeObject;
import dev.vertlet.model.ListPage;
import dev.vertlet.model.WatchEvent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists objects of one kind once, then watches them without end. Runs on the client's context;
 * calls the listener in order on the context that called {@link #start}.
 *
 * <p>Guaranteed: the promises of {@link ReflectorListener}, and that a dead watch is replaced:
 * silence, errors, resets and undecodable events all lead to the next attempt, with back-off. Not
 * guaranteed: every intermediate state of an object.
 *
 * @param <T> the view
 */
public final class Reflector<T extends KubeObject> {
  /** client-go's: 800 ms doubling to 30 s with jitter 1. */
  public static final Backoff DEFAULT_BACKOFF =
      new Backoff(Duration.ofMillis(800), Duration.ofSeconds(30), 2, 1);

  private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);

  /**
   * An API server sends a bookmark about every minute: after 2 × 60 s + 30 s without a bookmark or
   * an event, the watch counts as dead. HTTP/2 pings detect a dead connection much earlier.
   */
  private static final Duration SILENCE = Duration.ofSeconds(150);

  /** An initial list without progress for this long counts as dead. */
  private static final Duration STREAMING_SILENCE = Duration.ofSeconds(30);

  /** A lost connection ends up to 90 watches at once; this delay spreads their return. */
  private static final long RESUME_SPREAD_MILLIS = 100;

  /** Once the server is back, reflectors return within this time, spread at random. */
  private static final long RETURN_SPREAD_MILLIS = 500;

  private final KubeClient client;
  private final ListWatch<T> what;
  private final ReflectorListener<T> listener;
  private final Backoff backoff;
  private final RandomGenerator random;
  private final Clock clock;
  private final ContextInternal context;
  private final KubeMetrics.OfReflector meters;
  private final Outage outage;
  private final Runnable serverIsBack = this::serverIsBack;
  private @Nullable Running running;
  private volatile Instant lastHeard; // written on the client's loop, read by lastEventAge()
  private volatile boolean synced; // written on the client's loop, read by synced()

  public Reflector(
      KubeClient client,
      ListWatch<T> what,
      ReflectorListener<T> listener,
      Backoff backoff,
      RandomGenerator random) {
    this(client, what, listener, backoff, random, SteadyClock.ofMachine());
  }

  /**
   * Creates a reflector.
   *
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
    this.backoff = backoff;
    this.random = random;
    this.clock = clock;
    this.context = client.context();
    this.meters = client.metrics().reflector(what.path().resource());
    this.outage = new Outage("Watching " + what.name() + " fails");
    this.lastHeard = clock.instant();
  }

  /**
   * Starts; the listener is called on the current context from now on.
   *
   * @return completes on the caller's context when the first complete list was delivered; while the
   *     server is away it waits; fails only when stopped before that, or when started twice
   */
  public Future<Void> start() {
    ContextInternal caller = (ContextInternal) context.owner().getOrCreateContext();
    Promise<Void> promise = caller.promise();
    context.emit(
        caller,
        target -> {
          if (running != null) {
            promise.fail(new IllegalStateException(what.name() + ": started twice"));
            return;
          }
          Running begun = new Running(new WatchHandoff<>(target, listener), target, promise);
          running = begun;
          client.onReturn(serverIsBack);
          begun.perform(begun.core.start());
        });
    return promise.future();
  }

  /**
   * Lists again, whatever the watch's state: for a caller that must not act on stale data.
   * Unchanged objects are not delivered again. A call during a running list is answered by the next
   * list. May be called from any context.
   *
   * @return completes on the caller's context when a list that began after this call was delivered,
   *     however long the server is away; fails only when the reflector is stopped before
   */
  public Future<Void> relist() {
    ContextInternal caller = (ContextInternal) context.owner().getOrCreateContext();
    Promise<Void> promise = caller.promise();
    context.emit(
        promise,
        p -> {
          Running current = running;
          if (current == null) {
            p.fail(new IllegalStateException(what.name() + ": not started"));
          } else {
            current.relist(p);
          }
        });
    return promise.future();
  }

  /**
   * Ends the watch. May be called from any context; the listener is not called any more once the
   * returned Future has completed on the caller's context.
   */
  public Future<Void> stop() {
    return end(false);
  }

  /**
   * Ends the watch and delivers each object that the listener knows as deleted, for a caller that
   * no longer, or for now not, needs these objects. May be called from any context; the listener is
   * not called any more once the returned Future has completed on the caller's context.
   */
  public Future<Void> withdraw() {
    return end(true);
  }

  private Future<Void> end(boolean withdrawn) {
    ContextInternal caller = (ContextInternal) context.owner().getOrCreateContext();
    Promise<Void> promise = caller.promise();
    context.emit(
        promise,
        p -> {
          Running ending = running;
          if (ending == null) {
            p.complete();
          } else {
            client.offReturn(serverIsBack);
            ending.stop(p, withdrawn);
          }
        });
    return promise.future();
  }

  /** Whether the first complete list was delivered. Callable from any context. */
  public boolean synced() {
    return synced;
  }

  /** Time since the server last sent anything to this reflector. Callable from any context. */
  public Duration lastEventAge() {
    return Duration.between(lastHeard, clock.instant());
  }

  /**
   * Ends a running back-off: another request was answered, so this failure, whatever its kind, came
   * from the outage or from a server that was starting.
   */
  private void serverIsBack() {
    Running current = running;
    if (current != null) {
      current.hurry();
    }
  }

  /** State from start to stop, confined to the client's context. */
  private final class Running implements EventStream.Sink<T> {
    private final ReflectorCore<T> core;
    private final WatchHandoff<T> handover;
    private final ContextInternal listenerContext;
    private final Promise<Void> firstSync;

    /** Callers that wait for a list that has not begun yet, and for the list that has. */
    private final List<Promise<Void>> wantList = new ArrayList<>();

    private final List<Promise<Void>> awaitList = new ArrayList<>();
    private @Nullable EventStream<T> stream;
    private @Nullable Step waiting;
    private Instant opened = clock.instant();

    /** Time of the last event, and of the last one before the list that is under way. */
    private Instant lastEvent = opened;

    private @Nullable Instant lastWatched;
    private long timer = -1;
    private int turn;
    private boolean listedBefore;
    private boolean stopped;

    Running(WatchHandoff<T> handover, ContextInternal listenerContext, Promise<Void> firstSync) {
      this.handover = handover;
      this.listenerContext = listenerContext;
      this.firstSync = firstSync;
      this.core = new ReflectorCore<>(what, handover, backoff, random, true);
    }

    void perform(Step step) {
      if (step.after().isZero()) {
        enter(step.next());
      } else {
        waiting = step;
        arm(step.after(), () -> enter(step.next()));
      }
    }

    void hurry() {
      Step step = waiting;
      if (step != null) {
        core.serverReturned();
        arm(Duration.ofMillis(1 + random.nextLong(RETURN_SPREAD_MILLIS)), () -> enter(step.next()));
      }
    }

    void relist(Promise<Void> listed) {
      if (stopped) {
        listed.fail(what.name() + ": stopped");
        return;
      }
      wantList.add(listed);
      if (waiting == null) {
        relistIfWanted();
      }
    }

    /** Does nothing during a list: the next one serves all callers until then. */
    private void relistIfWanted() {
      if (!wantList.isEmpty() && core.state() instanceof Watching) {
        leave();
        enter(core.relist());
      }
    }

    void stop(Promise<Void> done, boolean withdrawn) {
      stopped = true;
      leave();
      core.stop();
      if (withdrawn) {
        core.withdraw();
      }
      String why = what.name() + ": stopped before the list was complete";
      firstSync.tryFail(why);
      awaitList.addAll(wantList);
      wantList.clear();
      takeAwaiting().forEach(p -> p.fail(why));
      listenerContext.emit(
          done,
          d -> {
            handover.stop();
            d.complete();
          });
    }

    @Override
    public void opened() {
      opened = clock.instant();
      lastHeard = opened;
    }

    @Override
    public void event(WatchEvent<T> event) {
      lastHeard = clock.instant();
      if (!(event instanceof WatchEvent.Failure)) {
        lastEvent = lastHeard;
      }
      boolean streaming = core.state() instanceof Streaming;
      core.received(event).ifPresent(this::failed);
      if (streaming && core.state() instanceof Watching) {
        listComplete();
        relistIfWanted();
      }
    }

    @Override
    public void ended() {
      Duration open = Duration.between(opened, clock.instant());
      leave();
      perform(core.ended(open, clock.instant()));
    }

    @Override
    public void failed(KubeException failure) {
      EventStream<T> current = stream;
      boolean cut = current != null && current.isOpen();
      Duration open = Duration.between(opened, clock.instant());
      leave();
      boolean transport = failure.kind() == KubeException.Kind.TRANSPORT;
      if (cut && transport && core.isHealthy(open)) {
        LOG.debug("{}: {}, watching on", what.name(), failure.getMessage());
        Step next = core.ended(open, clock.instant());
        perform(
            new Step(next.next(), Duration.ofMillis(1 + random.nextLong(RESUME_SPREAD_MILLIS))));
        return;
      }
      Step step = core.failed(failure, clock.instant());
      report(failure, step);
      perform(step);
    }

    private void enter(ReflectorState step) {
      ReflectorState next = step instanceof Watching && !wantList.isEmpty() ? core.relist() : step;
      waiting = null;
      core.entered(next);
      if (next.beginsList()) {
        if (lastWatched == null) {
          lastWatched = lastEvent;
        }
        awaitList.addAll(wantList);
        wantList.clear();
      }
      if (next instanceof Listing listing) {
        list(listing);
      } else if (next instanceof Watching watching) {
        watch(what.watchQuery(watching.resourceVersion(), random));
      } else if (next instanceof Streaming) {
        watch(what.streamingQuery(random));
      }
    }

    private void list(Listing listing) {
      int mine = turn;
      KubeRequest request =
          KubeRequest.list(
              Lane.NODE,
              what.path(),
              what.listQuery(listing.paged(), listing.continueToken()),
              what.decoder().acceptList(client.options().protobuf()));
      client
          .send(request)
          .map(this::decode)
          .onSuccess(
              page -> {
                if (turn == mine && !stopped) {
                  listed(page);
                }
              })
          .onFailure(
              e -> {
                if (turn == mine && !stopped) {
                  failed(Failures.transport(Verb.LIST, what.path(), e));
                }
              });
    }

    private ListPage<T> decode(KubeResponse response) {
      try {
        return what.decoder().decodeList(response.contentType(), response.body());
      } catch (RuntimeException e) {
        meters.decodeErrors.increment();
        throw Failures.decode(Verb.LIST, what.path(), e);
      }
    }

    private void listed(ListPage<T> page) {
      lastHeard = clock.instant();
      lastEvent = lastHeard;
      turn++;
      Step step = core.listed(page);
      if (page.continueToken() == null) {
        listComplete();
      }
      perform(step);
    }

    private void watch(String query) {
      opened = clock.instant();
      EventStream<T> next = new EventStream<>(what, meters, this);
      stream = next;
      arm(silence(), this::checkSilence);
      next.open(client, query);
    }

    private Duration silence() {
      return core.state() instanceof Streaming ? STREAMING_SILENCE : SILENCE;
    }

    private void checkSilence() {
      Instant heard = lastHeard.isAfter(opened) ? lastHeard : opened;
      Duration quiet = Duration.between(heard, clock.instant());
      Duration limit = silence();
      if (quiet.compareTo(limit) < 0) {
        arm(limit.minus(quiet), this::checkSilence);
      } else if (core.state() instanceof Streaming) {
        leave();
        perform(core.streamingSilent(clock.instant()));
      } else {
        failed(Failures.silent(what.path(), limit));
      }
    }

    /** Logs failures that concern this watch alone: the client logs an unreachable server. */
    private void report(KubeException failure, Step step) {
      boolean routine =
          failure.kind() == KubeException.Kind.TRANSPORT
              || failure.kind() == KubeException.Kind.EXPIRED
              || step.after().isZero()
              || !client.reachable();
      if (routine) {
        LOG.debug("{}: {}, next try in {}", what.name(), failure.getMessage(), step.after());
      } else {
        outage.failed(clock.instant(), failure.getMessage()).ifPresent(LOG::warn);
      }
    }

    private void listComplete() {
      List<Promise<Void>> answered = takeAwaiting();
      meters.lists.increment();
      Instant watched = lastWatched;
      lastWatched = null;
      if (listedBefore) {
        meters.relists.increment();
        if (watched != null) {
          handover.relisted(Duration.between(watched, clock.instant()));
        }
      } else {
        listedBefore = true;
        synced = true;
      }
      outage
          .succeeded(clock.instant())
          .ifPresent(line -> LOG.info("Watching {} works again {}", what.name(), line));
      LOG.debug("{}: whole list, {} objects", what.name(), core.size());
      firstSync.tryComplete();
      answered.forEach(Promise::complete);
    }

    /**
     * Returns the callers that the current list answers: on our own context they continue
     * immediately and may call again.
     */
    private List<Promise<Void>> takeAwaiting() {
      List<Promise<Void>> taken = List.copyOf(awaitList);
      awaitList.clear();
      return taken;
    }

    /** Leaves the open stream or the back-off; neither calls back any more. */
    private void leave() {
      turn++;
      waiting = null;
      context.owner().cancelTimer(timer);
      EventStream<T> open = stream;
      stream = null;
      if (open != null) {
        open.close();
      }
    }

    private void arm(Duration delay, Runnable then) {
      context.owner().cancelTimer(timer);
      int mine = turn;
      timer =
          context.setTimer(
              Math.max(1, delay.toMillis()),
              id -> {
                if (turn == mine && !stopped) {
                  then.run();
                }
              });
    }
  }
}
