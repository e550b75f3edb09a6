package dev.vertlet.kube.watch;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.SteadyClock;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.model.KubeObject;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.time.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

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

  private final KubeClient client;
  private final ListWatch<T> what;
  private final ReflectorListener<T> listener;
  private final Backoff backoff;
  private final RandomGenerator random;
  private final ContextInternal context;
  private final Runnable serverIsBack = this::serverIsBack;
  private final ReflectorProgress progress;
  private @Nullable ReflectorRun<T> running;

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
    this.context = client.context();
    this.progress = new ReflectorProgress(clock);
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
          ReflectorRun<T> begun =
              new ReflectorRun<>(
                  client, what, backoff, random, progress, new WatchHandoff<>(target, listener));
          running = begun;
          client.onReturn(serverIsBack);
          begun.start(promise);
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
          ReflectorRun<T> current = running;
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
          ReflectorRun<T> ending = running;
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
    return progress.synced();
  }

  /** Time since the server last sent anything to this reflector. Callable from any context. */
  public Duration lastEventAge() {
    return progress.age();
  }

  /**
   * Ends a running back-off: another request was answered, so this failure, whatever its kind, came
   * from the outage or from a server that was starting.
   */
  private void serverIsBack() {
    ReflectorRun<T> current = running;
    if (current != null) {
      current.hurry();
    }
  }
}
