package dev.vertlet.kube.watch;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.Failures;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.Outage;
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
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reflector's list and watch, from its start to its stop: performs what {@link ReflectorCore}
 * decides. Confined to the client's context.
 *
 * @param <T> the view
 */
final class ReflectorRun<T extends KubeObject> implements EventStream.Sink<T> {
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
  private final RandomGenerator random;
  private final ContextInternal context;
  private final KubeMetrics.OfReflector meters;
  private final Outage outage;
  private final ReflectorProgress progress;
  private final ReflectorCore<T> core;
  private final WatchHandoff<T> handoff;
  private final ListCallers callers = new ListCallers();
  private @Nullable EventStream<T> stream;
  private @Nullable Step waiting;
  private Instant opened;

  /** Time of the last event, and of the last one before the list that is under way. */
  private Instant lastEvent;

  private @Nullable Instant lastWatched;
  private long timer = -1;
  private int turn;
  private boolean listedBefore;
  private boolean stopped;

  /**
   * Creates a run.
   *
   * @param backoff after failures
   * @param random for jitter
   * @param progress what other contexts read
   */
  ReflectorRun(
      KubeClient client,
      ListWatch<T> what,
      Backoff backoff,
      RandomGenerator random,
      ReflectorProgress progress,
      WatchHandoff<T> handoff) {
    this.client = client;
    this.what = what;
    this.random = random;
    this.progress = progress;
    this.handoff = handoff;
    this.context = client.context();
    this.meters = client.metrics().reflector(what.path().resource());
    this.outage = new Outage("Watching " + what.name() + " fails");
    this.core = new ReflectorCore<>(what, handoff, backoff, random, true);
    this.opened = progress.now();
    this.lastEvent = opened;
  }

  /** Begins; {@code listed} completes when the first complete list was delivered. */
  void start(Promise<Void> listed) {
    callers.add(listed);
    perform(core.start());
  }

  private void perform(Step step) {
    if (step.after().isZero()) {
      enter(step.next());
    } else {
      waiting = step;
      arm(step.after(), () -> enter(step.next()));
    }
  }

  /** Ends a back-off, unless the server asked for it, after a delay at random. */
  void hurry() {
    Step step = waiting;
    if (step != null && core.serverReturned()) {
      arm(Duration.ofMillis(1 + random.nextLong(RETURN_SPREAD_MILLIS)), () -> enter(step.next()));
    }
  }

  /** Lists again, and completes {@code listed} with that list. */
  void relist(Promise<Void> listed) {
    if (stopped) {
      listed.fail(what.name() + ": stopped");
      return;
    }
    callers.add(listed);
    if (waiting == null) {
      relistIfWanted();
    }
  }

  /** Does nothing during a list: the next one serves all callers until then. */
  private void relistIfWanted() {
    if (callers.waiting() && core.state() instanceof Watching) {
      leave();
      enter(core.relist());
    }
  }

  /**
   * Ends the watch.
   *
   * @param done completes on the listener's context, after the last delivery
   * @param withdrawn whether each known object is delivered as deleted
   */
  void stop(Promise<Void> done, boolean withdrawn) {
    stopped = true;
    leave();
    core.stop();
    if (withdrawn) {
      core.withdraw();
    }
    callers.fail(what.name() + ": stopped before the list was complete");
    handoff.stop(done);
  }

  @Override
  public void opened() {
    opened = progress.heard();
  }

  @Override
  public void event(WatchEvent<T> event) {
    Instant heard = progress.heard();
    if (!(event instanceof WatchEvent.Failure)) {
      lastEvent = heard;
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
    Duration open = Duration.between(opened, progress.now());
    leave();
    perform(core.ended(open, progress.now()));
  }

  @Override
  public void failed(KubeException failure) {
    EventStream<T> current = stream;
    boolean cut = current != null && current.isOpen();
    Duration open = Duration.between(opened, progress.now());
    leave();
    boolean transport = failure.kind() == KubeException.Kind.TRANSPORT;
    if (cut && transport && core.isHealthy(open)) {
      LOG.debug("{}: {}, watching on", what.name(), failure.getMessage());
      Step next = core.ended(open, progress.now());
      perform(new Step(next.next(), Duration.ofMillis(1 + random.nextLong(RESUME_SPREAD_MILLIS))));
      return;
    }
    Step step = core.failed(failure, progress.now());
    report(failure, step);
    perform(step);
  }

  private void enter(ReflectorState step) {
    ReflectorState next = step instanceof Watching && callers.waiting() ? core.relist() : step;
    waiting = null;
    core.entered(next);
    if (next.beginsList()) {
      if (lastWatched == null) {
        lastWatched = lastEvent;
      }
      callers.listBegins();
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
    lastEvent = progress.heard();
    turn++;
    Step step = core.listed(page);
    if (page.continueToken() == null) {
      listComplete();
    }
    perform(step);
  }

  private void watch(String query) {
    opened = progress.now();
    EventStream<T> next = new EventStream<>(what, meters, this);
    stream = next;
    arm(silence(), this::checkSilence);
    next.open(client, query);
  }

  private Duration silence() {
    return core.state() instanceof Streaming ? STREAMING_SILENCE : SILENCE;
  }

  private void checkSilence() {
    Instant last = progress.lastHeard();
    Instant heard = last.isAfter(opened) ? last : opened;
    Duration quiet = Duration.between(heard, progress.now());
    Duration limit = silence();
    if (quiet.compareTo(limit) < 0) {
      arm(limit.minus(quiet), this::checkSilence);
    } else if (core.state() instanceof Streaming) {
      leave();
      perform(core.streamingSilent(progress.now()));
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
      outage.failed(progress.now(), failure.getMessage()).ifPresent(LOG::warn);
    }
  }

  private void listComplete() {
    List<Promise<Void>> answered = callers.listed();
    meters.lists.increment();
    Instant watched = lastWatched;
    lastWatched = null;
    if (listedBefore) {
      meters.relists.increment();
      if (watched != null) {
        handoff.relisted(Duration.between(watched, progress.now()));
      }
    } else {
      listedBefore = true;
      progress.complete();
    }
    outage
        .succeeded(progress.now())
        .ifPresent(line -> LOG.info("Watching {} works again {}", what.name(), line));
    LOG.debug("{}: whole list, {} objects", what.name(), core.size());
    answered.forEach(Promise::complete);
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
