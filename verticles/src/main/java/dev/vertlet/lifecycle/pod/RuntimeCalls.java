package dev.vertlet.lifecycle.pod;

import dev.vertlet.admission.Rejection;
import dev.vertlet.lifecycle.container.BackOffRange;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.provider.ContainerRuntime;
import dev.vertlet.provider.ProviderException;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls to the runtime for one pod. Every answer is taken on the core's loop and leads to the next
 * decision for its pod; an answer that does not come holds up no other pod.
 */
public final class RuntimeCalls {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeCalls.class);

  /** Pause after an error, stretched by up to half (kubelet's backOffPeriod). */
  private static final long ERROR_PAUSE = 10_000;

  private final ContainerRuntime runtime;
  private final CoreLoop loop;
  private final Clock clock;
  private final RandomGenerator random;
  private final PodEvents events;
  private final Function<String, BackOffRange> backOff;
  private final Consumer<PodState> next;
  private final Consumer<PodState> looked;
  private boolean closed;

  /**
   * @param backOff pauses between restarts of a container, by node
   * @param next takes a pod on after an answer
   * @param looked the same after one that tells nothing of what the runtime has
   */
  public RuntimeCalls(
      CoreEnv env,
      Function<String, BackOffRange> backOff,
      Consumer<PodState> next,
      Consumer<PodState> looked) {
    this.runtime = env.runtime();
    this.loop = env.loop();
    this.clock = env.clock();
    this.random = env.random();
    this.events = env.events();
    this.backOff = backOff;
    this.next = next;
    this.looked = looked;
  }

  public void killFailed(PodState pod, Throwable failure) {
    pod.killFailed(retryAt());
    events.warning(pod, PodEvents.FAILED_KILL_POD, "error killing pod: " + text(failure));
  }

  /** The runtime says that the pod can never run here: it fails, once and for all. */
  public boolean refused(PodState pod, Throwable failure) {
    if (ProviderException.kindOf(failure) != ProviderException.Kind.INVALID) {
      return false;
    }
    Rejection why = new Rejection(reason(failure, "ProviderRejected"), text(failure), false);
    events.warning(pod, why.reason(), why.message());
    pod.refuse(why);
    return true;
  }

  /**
   * Makes a call and takes its answer on the loop. An answer for a pod that is finished, or that
   * the core let go of, is dropped.
   */
  public <T> void call(
      PodState pod, Supplier<Future<T>> call, BiConsumer<@Nullable T, @Nullable Throwable> answer) {
    call(pod, call, answer, next);
  }

  /** As {@link #call}, for calls that change nothing in the runtime. */
  public <T> void look(
      PodState pod, Supplier<Future<T>> call, BiConsumer<@Nullable T, @Nullable Throwable> answer) {
    call(pod, call, answer, looked);
  }

  private <T> void call(
      PodState pod,
      Supplier<Future<T>> call,
      BiConsumer<@Nullable T, @Nullable Throwable> answer,
      Consumer<PodState> then) {
    ask(call)
        .onComplete(
            result ->
                loop.run(
                    () -> {
                      if (!pod.forgotten() && !pod.finished()) {
                        answer.accept(result.result(), result.cause());
                        then.accept(pod);
                      }
                    }));
  }

  /** As {@link #call}, for calls that make something: what comes too late is removed again. */
  public <T> void make(
      PodState pod, Supplier<Future<T>> call, BiConsumer<@Nullable T, @Nullable Throwable> answer) {
    Supplier<Future<T>> guarded =
        () ->
            call.get()
                .onSuccess(
                    made ->
                        loop.run(
                            () -> {
                              if (pod.finished()) {
                                undo(pod);
                              }
                            }));
    call(pod, guarded, answer);
  }

  /** A call that throws has failed. */
  private static <T> Future<T> ask(Supplier<Future<T>> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /**
   * A call that hung until the pod was finished came back: whatever it made must not stay. Tried
   * until it works; a removal that hangs is left to whoever lists the runtime's orphans.
   */
  public void undo(PodState pod) {
    if (closed) {
      return;
    }
    ask(() -> runtime.removeSandbox(pod.view().ref()))
        .onFailure(
            e -> {
              LOG.atWarn()
                  .addKeyValue("podUid", pod.view().uid())
                  .addKeyValue("error", e.getMessage())
                  .log("Late sandbox not removed");
              loop.run(() -> loop.setTimer(ERROR_PAUSE, () -> undo(pod)));
            });
  }

  public void close() {
    closed = true;
  }

  public static boolean unknownToRuntime(Throwable failure) {
    return ProviderException.kindOf(failure) == ProviderException.Kind.NOT_FOUND;
  }

  public static String text(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  public static String reason(Throwable failure, String otherwise) {
    return ProviderException.reasonOf(failure, otherwise);
  }

  public long retryAt() {
    return now() + stretched(ERROR_PAUSE);
  }

  /** Longer by up to half. */
  public long stretched(long pause) {
    return (long) (pause * (1 + random.nextDouble() / 2));
  }

  public long now() {
    return clock.millis();
  }

  public Instant instant() {
    return clock.instant();
  }

  /** Pauses between restarts of a pod's containers. */
  public BackOffRange backOff(PodState pod) {
    return backOff.apply(pod.node());
  }
}
