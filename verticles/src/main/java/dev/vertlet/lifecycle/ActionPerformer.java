package dev.vertlet.lifecycle;

import dev.vertlet.admission.Rejection;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ContainerRuntime;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.SandboxRecord;
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
 * Performs decisions about whole pods on the runtime, and hands those about single containers to
 * {@link ContainerActions}. Every answer is taken on the core's loop and leads to the next decision
 * for its pod; an answer that does not come holds up no other pod.
 */
final class ActionPerformer {
  private static final Logger LOG = LoggerFactory.getLogger(ActionPerformer.class);

  /** Pause after an error, stretched by up to half (kubelet's backOffPeriod). */
  private static final long ERROR_PAUSE = 10_000;

  /** The same while the network is not ready (kubelet's backOffOnTransientErrorPeriod). */
  private static final long NETWORK_PAUSE = 1_000;

  private final ContainerRuntime runtime;
  private final CoreLoop loop;
  private final Clock clock;
  private final RandomGenerator random;
  private final PodEvents events;
  private final SandboxConfigs sandboxes;
  private final PodVolumes volumes;
  private final NetworkState network;
  private final Function<String, PodTimes> times;
  private final Consumer<PodState> next;
  private final Consumer<PodState> looked;
  private final ContainerActions containers;
  private final HookActions hooks;
  private final ProbeActions probes;
  private final ResizeActions resizes;
  private final MessageActions messages;
  private Consumer<String> pulled = node -> {};
  private boolean closed;

  /**
   * @param times of each node
   * @param next takes a pod on after an answer
   * @param looked the same after one that tells nothing of what the runtime has
   * @param meters told how resizes go
   */
  ActionPerformer(
      ContainerRuntime runtime,
      CoreLoop loop,
      Clock clock,
      RandomGenerator random,
      PodEvents events,
      ContainerEnvironments environments,
      NetworkState network,
      Function<String, PodTimes> times,
      Consumer<PodState> next,
      Consumer<PodState> looked,
      CoreMeters meters) {
    this.runtime = runtime;
    this.loop = loop;
    this.clock = clock;
    this.random = random;
    this.events = events;
    this.sandboxes = new SandboxConfigs(environments, events);
    this.volumes = new PodVolumes(this, runtime, environments, events);
    this.network = network;
    this.times = times;
    this.next = next;
    this.looked = looked;
    this.containers = new ContainerActions(this, runtime, events, environments);
    this.hooks = containers.hooks();
    this.probes = new ProbeActions(this, runtime, events);
    this.messages = new MessageActions(this, runtime);
    this.resizes = new ResizeActions(this, runtime, events, meters);
  }

  /** Told of nodes that have pulled an image. */
  void whenPulled(Consumer<String> told) {
    pulled = told;
  }

  /** An image was pulled. */
  void pulled(String node) {
    pulled.accept(node);
  }

  void perform(PodState pod, PodAction action) {
    if (action instanceof PodAction.RunSandbox run) {
      runSandbox(pod, run.attempt());
    } else if (action instanceof PodAction.AwaitNetwork) {
      awaitNetwork(pod);
    } else if (action instanceof PodAction.RemoveSandbox) {
      removeSandbox(pod);
    } else if (action instanceof PodAction.CompletePod) {
      pod.end(now());
    } else if (action instanceof PodAction.ReadMessage read) {
      messages.read(pod, read.slot());
    } else if (action instanceof PodAction.GiveUpMessages) {
      messages.giveUp(pod);
    } else if (action instanceof PodAction.RestartAll) {
      pod.restartAll();
    } else if (action instanceof PodAction.ResetContainers) {
      pod.resetContainers();
    } else if (action instanceof PodAction.FailPod fail) {
      events.normal(pod, fail.reason(), fail.message());
      pod.fail(fail.reason(), fail.message());
      pod.end(now());
    } else if (action instanceof PodAction.PostStart hook) {
      hooks.postStart(pod, hook.slot());
    } else if (action instanceof PodAction.EndHook hook) {
      hooks.end(pod, hook.slot());
    } else if (action instanceof PodAction.Probe probe) {
      probes.probe(pod, probe.slot(), probe.probe());
    } else if (action instanceof PodAction.GiveUpProbe late) {
      probes.giveUp(pod, late.slot(), late.probe());
    } else if (action instanceof PodAction.UpdateResources update) {
      resizes.update(pod, update.slot(), update.next());
    } else if (action instanceof PodAction.GiveUpUpdate) {
      resizes.giveUp(pod);
    } else if (action instanceof PodAction.CompleteResize) {
      resizes.complete(pod);
    } else {
      containers.perform(pod, action);
    }
  }

  private void runSandbox(PodState pod, int attempt) {
    if (!volumes.mounted(pod)) {
      return;
    }
    pod.sandbox().requested();
    PodView view = pod.view();
    make(
        pod,
        () -> makeSandbox(pod, view, attempt),
        (sandbox, failure) -> {
          if (sandbox != null) {
            pod.sandboxMade(sandbox);
          } else if (failure == null || refused(pod, failure)) {
            pod.sandbox().refused();
          } else {
            pod.sandbox().failed(retryAt());
            events.warning(
                pod,
                PodEvents.FAILED_CREATE_SANDBOX,
                "Failed to create pod sandbox: " + text(failure));
          }
        });
  }

  private Future<SandboxRecord> makeSandbox(PodState pod, PodView view, int attempt) {
    return runtime.usesEnvironment()
        ? runtime.runSandbox(view, attempt, sandboxes.of(pod, view))
        : runtime.runSandbox(view, attempt);
  }

  private void awaitNetwork(PodState pod) {
    pod.sandbox().networkAwaited(now() + stretched(NETWORK_PAUSE));
    events.warning(pod, PodEvents.NETWORK_NOT_READY, "network is not ready: " + network.problem());
  }

  private void removeSandbox(PodState pod) {
    pod.removing(now());
    call(
        pod,
        () -> runtime.removeSandbox(pod.view().ref()),
        (nothing, failure) -> {
          pod.removalAnswered();
          if (failure == null || unknownToRuntime(failure)) {
            if (pod.life() == PodState.Life.RESTORING) {
              Adoption.recall(pod, instant(), backOff(pod), random);
            }
            pod.finish(instant());
          } else {
            killFailed(pod, failure);
          }
        });
  }

  void killFailed(PodState pod, Throwable failure) {
    pod.killFailed(retryAt());
    events.warning(pod, PodEvents.FAILED_KILL_POD, "error killing pod: " + text(failure));
  }

  /** The runtime says that the pod can never run here: it fails, once and for all. */
  boolean refused(PodState pod, Throwable failure) {
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
  <T> void call(
      PodState pod, Supplier<Future<T>> call, BiConsumer<@Nullable T, @Nullable Throwable> answer) {
    call(pod, call, answer, next);
  }

  /** As {@link #call}, for calls that change nothing in the runtime. */
  <T> void look(
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
  <T> void make(
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
  void undo(PodState pod) {
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

  void close() {
    closed = true;
  }

  static boolean unknownToRuntime(Throwable failure) {
    return ProviderException.kindOf(failure) == ProviderException.Kind.NOT_FOUND;
  }

  static String text(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  static String reason(Throwable failure, String otherwise) {
    return ProviderException.reasonOf(failure, otherwise);
  }

  long retryAt() {
    return now() + stretched(ERROR_PAUSE);
  }

  private long stretched(long pause) {
    return (long) (pause * (1 + random.nextDouble() / 2));
  }

  long now() {
    return clock.millis();
  }

  Instant instant() {
    return clock.instant();
  }

  /** Pauses between restarts. */
  BackOffRange backOff(PodState pod) {
    return times.apply(pod.node()).backOff();
  }
}
