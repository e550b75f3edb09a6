package dev.vertlet.kubelet.pod;

import dev.vertlet.admission.Rejection;
import dev.vertlet.kubelet.container.BackOffRange;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.failure.ProviderCall;
import dev.vertlet.provider.failure.ProviderException;
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
 * Calls the runtime for one pod. Each answer arrives on the core's loop and leads to the next
 * decision for its pod; a missing answer delays no other pod.
 */
public final class RuntimeCalls {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeCalls.class);

  /** Pause after an error, stretched by up to half (kubelet's backOffPeriod). */
  private static final long ERROR_PAUSE = 10_000;

  private final ContainerRuntime runtime;
  private final CoreMeters meters;
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
   * @param next drives a pod after an answer
   * @param looked drives a pod after an answer that changes nothing in the runtime
   */
  public RuntimeCalls(
      CoreEnv env,
      Function<String, BackOffRange> backOff,
      Consumer<PodState> next,
      Consumer<PodState> looked) {
    this.runtime = env.runtime();
    this.meters = env.meters();
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

  /** Fails the pod for good if the runtime says that it can never run here; else returns false. */
  public boolean refused(PodState pod, Throwable failure) {
    if (ProviderException.kindOf(failure) != ProviderException.Kind.INVALID) {
      return false;
    }
    Rejection why = new Rejection(reason(failure, "ProviderRejected"), text(failure), false);
    events.warning(pod, why.reason(), why.message());
    pod.fail(PodFailure.of(why, pod.containers().begun()));
    return true;
  }

  /**
   * Makes a call and takes its answer on the loop. Drops an answer for a pod that is finished or
   * forgotten.
   *
   * @param operation null for a call that is not measured
   */
  public <T> void call(
      PodState pod,
      @Nullable RuntimeOperation operation,
      Supplier<Future<T>> call,
      BiConsumer<@Nullable T, @Nullable Throwable> answer) {
    call(pod, ask(operation, call), answer, next);
  }

  /** Makes a call that changes nothing in the runtime, as {@link #call} does. */
  public <T> void look(
      PodState pod,
      @Nullable RuntimeOperation operation,
      Supplier<Future<T>> call,
      BiConsumer<@Nullable T, @Nullable Throwable> answer) {
    call(pod, ask(operation, call), answer, looked);
  }

  private <T> void call(
      PodState pod,
      Future<T> result,
      BiConsumer<@Nullable T, @Nullable Throwable> answer,
      Consumer<PodState> then) {
    result.onComplete(
        done ->
            loop.run(
                () -> {
                  if (!pod.forgotten() && !pod.finished()) {
                    answer.accept(done.result(), done.cause());
                    then.accept(pod);
                  }
                }));
  }

  /** Makes a call that creates something, as {@link #call}; removes a late result. */
  public <T> void make(
      PodState pod,
      RuntimeOperation operation,
      Supplier<Future<T>> call,
      BiConsumer<@Nullable T, @Nullable Throwable> answer) {
    Future<T> made =
        ask(operation, call)
            .onSuccess(
                result ->
                    loop.run(
                        () -> {
                          if (pod.finished()) {
                            undo(pod);
                          }
                        }));
    call(pod, made, answer, next);
  }

  private <T> Future<T> ask(@Nullable RuntimeOperation operation, Supplier<Future<T>> call) {
    return operation == null ? ProviderCall.ask(call) : meters.measure(operation, call);
  }

  /**
   * Removes what a call made that came back after its pod was finished. Retries until the removal
   * works; one that hangs is left to the relist's search for unclaimed pods.
   */
  public void undo(PodState pod) {
    if (closed) {
      return;
    }
    ask(RuntimeOperation.REMOVE_SANDBOX, () -> runtime.removeSandbox(pod.view().ref()))
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

  /** Returns the pause, longer by up to half at random. */
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
