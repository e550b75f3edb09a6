package dev.vertlet.simulated;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.ContainerRuntime.RuntimeListener;
import dev.vertlet.provider.ProviderException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Moves instances through their lives: tells the listener and completes the calls that wait. The
 * listener may call back into the runtime from every notification, so nothing here relies on state
 * read before one.
 */
final class InstanceDriver {
  private static final RuntimeListener NOT_STARTED =
      new RuntimeListener() {
        @Override
        public void containerChanged(PodRef pod, ContainerRecord container) {
          throw new IllegalStateException("start was not called");
        }

        @Override
        public void sandboxLost(PodRef pod) {
          throw new IllegalStateException("start was not called");
        }
      };

  private final Clock clock;
  private final DeadlineQueue queue;
  private final PodTable pods;
  private final EndWatches ends;

  /** Calls that wait for an instance; few at a time, hence not fields of the instance. */
  private final Map<Instance, Start> starts = new HashMap<>();

  private final Map<Instance, Promise<Void>> stops = new HashMap<>();

  /** Counted on the shard's loop, read by whoever scrapes metrics. */
  private final LongAdder startCount = new LongAdder();

  private RuntimeListener listener = NOT_STARTED;

  InstanceDriver(Clock clock, DeadlineQueue queue, PodTable pods, EndWatches ends) {
    this.clock = clock;
    this.queue = queue;
    this.pods = pods;
    this.ends = ends;
  }

  void listen(RuntimeListener listener) {
    this.listener = listener;
  }

  /**
   * Starts an instance its pod knows already.
   *
   * @param error what the start fails with when its time has come, or null
   */
  Future<ContainerRecord> start(Instance instance, @Nullable String error) {
    Start start = new Start(Promise.promise(), error);
    starts.put(instance, start);
    advanceAll(instance, clock.millis());
    return start.done().future();
  }

  /** Completes when the instance has started; at once when it has. */
  Future<ContainerRecord> started(Instance instance) {
    Start start = starts.get(instance);
    return start == null ? Future.succeededFuture(instance.record()) : start.done().future();
  }

  /**
   * Completes when the instance has ended; at once when it never started. All callers for one
   * instance share one Future.
   */
  Future<Void> stop(Instance instance, Duration grace) {
    if (instance.created()) {
      cancel(instance);
      return Future.succeededFuture();
    }
    Future<Void> stopped = stops.computeIfAbsent(instance, i -> Promise.promise()).future();
    long now = clock.millis();
    instance.terminate(now, grace);
    advanceAll(instance, now);
    return stopped;
  }

  /** What takes no time is done at once: a state that lasts no moment is worth no report. */
  private void advanceAll(Instance instance, long now) {
    while (isThere(instance) && instance.deadline() <= now) {
      advance(instance, now);
    }
    if (isThere(instance)) {
      queue.schedule(instance);
    }
  }

  /** An end may take its pod along, a start that fails is undone. */
  private boolean isThere(Instance instance) {
    return pods.holds(instance.pod) && instance.pod.holds(instance);
  }

  /** Does the next thing that is due for the instance at {@code now}. */
  void advance(Instance instance, long now) {
    Start start = starts.get(instance);
    if (start != null && start.error() != null && instance.created()) {
      instance.pod.drop(instance);
      failStart(instance, "RunContainerError", start.error());
      return;
    }
    Instance.Change change = instance.step(now);
    queue.schedule(instance);
    switch (change) {
      case NONE -> {}
      case READY -> tell(instance);
      case ENDED -> tellEnd(instance);
      case STARTED -> {
        startCount.increment();
        tell(instance);
        completeStart(instance);
      }
    }
  }

  /** Nobody waits for anything of the pod, or looks into it. */
  boolean idle(SimulatedPod pod) {
    for (Instance instance : pod.instances()) {
      if (starts.containsKey(instance) || stops.containsKey(instance) || ends.watched(instance)) {
        return false;
      }
    }
    return true;
  }

  /** Containers started so far; those taken over were started by an earlier process. */
  long startCount() {
    return startCount.sum();
  }

  /** Ends all containers of a pod that is forgotten already. */
  void killAll(SimulatedPod pod) {
    long now = clock.millis();
    List<Instance> running = pod.instances().stream().filter(Instance::running).toList();
    running.forEach(instance -> instance.kill(now));
    pod.instances().stream().filter(Instance::created).forEach(this::cancel);
    running.forEach(this::tellEnd);
  }

  /** The instance never starts. Nobody but the caller of start knows of it. */
  private void cancel(Instance instance) {
    queue.remove(instance);
    instance.pod.drop(instance);
    failStart(instance, "ContainerStopped", "stopped before it started");
  }

  /** The sandbox of a pod that is forgotten already has died. */
  void lose(SimulatedPod pod) {
    pod.instances().forEach(queue::remove);
    listener.sandboxLost(pod.ref);
    for (Instance instance : pod.instances()) {
      failStart(instance, "SandboxLost", "the sandbox was lost");
      ends.tell(instance);
      completeStop(instance);
    }
  }

  /** Nothing more is told of this pod; whatever waits for it fails. */
  void abandon(SimulatedPod pod) {
    for (Instance instance : pod.instances()) {
      queue.remove(instance);
      failStart(instance, "NodeReleased", "another agent may serve the node now");
      failStop(instance, "NodeReleased", "another agent may serve the node now");
      ends.tell(instance);
    }
  }

  /** Whatever still waits fails. */
  void abandonAll() {
    Set.copyOf(starts.keySet()).forEach(i -> failStart(i, "RuntimeStopped", "the agent stops"));
    Set.copyOf(stops.keySet()).forEach(i -> failStop(i, "RuntimeStopped", "the agent stops"));
    ends.tellAll();
  }

  private void tell(Instance instance) {
    listener.containerChanged(instance.pod.ref, instance.record());
  }

  private void tellEnd(Instance instance) {
    queue.remove(instance);
    tell(instance);
    ends.tell(instance);
    completeStop(instance);
  }

  /** With the newest record: the listener may have stopped the container meanwhile. */
  private void completeStart(Instance instance) {
    Start start = starts.remove(instance);
    if (start != null) {
      start.done().complete(instance.record());
    }
  }

  private void failStart(Instance instance, String reason, String message) {
    Start start = starts.remove(instance);
    if (start != null) {
      start.done().fail(temporary(reason, instance, message));
    }
  }

  private void completeStop(Instance instance) {
    Promise<Void> stop = stops.remove(instance);
    if (stop != null) {
      stop.complete();
    }
  }

  private void failStop(Instance instance, String reason, String message) {
    Promise<Void> stop = stops.remove(instance);
    if (stop != null) {
      stop.fail(temporary(reason, instance, message));
    }
  }

  private static ProviderException temporary(String reason, Instance instance, String message) {
    return new ProviderException(
        ProviderException.Kind.TEMPORARY,
        reason,
        "container " + instance.record().name() + ": " + message);
  }

  /**
   * A start under way.
   *
   * @param error what it fails with when its time has come, or null
   */
  private record Start(Promise<ContainerRecord> done, @Nullable String error) {}
}
