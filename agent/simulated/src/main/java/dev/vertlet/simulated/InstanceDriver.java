package dev.vertlet.simulated;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import dev.vertlet.provider.failure.ProviderException;
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
 * Advances instances: notifies the listener and completes pending calls. The listener may call the
 * runtime from every notification, so no method relies on state read before one.
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

  /** Pending starts by instance; few at a time, hence not fields of the instance. */
  private final Map<Instance, Start> starts = new HashMap<>();

  private final Map<Instance, Promise<Void>> stops = new HashMap<>();

  /** Incremented on the shard's loop, read by metric scrapes. */
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
   * Starts an instance that its pod already contains.
   *
   * @param error failure of the start once its delay has passed; null for none
   */
  Future<ContainerRecord> start(Instance instance, @Nullable String error) {
    Start start = new Start(Promise.promise(), error);
    starts.put(instance, start);
    advanceAll(instance, clock.millis());
    return start.done().future();
  }

  /** Completes when the instance has started; at once when it already has. */
  Future<ContainerRecord> started(Instance instance) {
    Start start = starts.get(instance);
    return start == null ? Future.succeededFuture(instance.record()) : start.done().future();
  }

  /**
   * Stops an instance. The Future completes when it has ended, at once when it never started. All
   * callers for one instance share one Future.
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

  /** Applies every due change at once: a state of no duration needs no report. */
  private void advanceAll(Instance instance, long now) {
    while (isThere(instance) && instance.deadline() <= now) {
      advance(instance, now);
    }
    if (isThere(instance)) {
      queue.schedule(instance);
    }
  }

  /** Returns whether it still exists: an end may remove its pod, a failure undoes a start. */
  private boolean isThere(Instance instance) {
    return pods.holds(instance.pod) && instance.pod.holds(instance);
  }

  /** Applies the next change that is due at {@code now}. */
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

  /** Returns whether the pod has no pending call and no session. */
  boolean idle(SimulatedPod pod) {
    for (Instance instance : pod.instances()) {
      if (starts.containsKey(instance) || stops.containsKey(instance) || ends.watched(instance)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number of containers that this process has started so far. */
  long startCount() {
    return startCount.sum();
  }

  /** Ends all containers of a pod that the table has already removed. */
  void killAll(SimulatedPod pod) {
    long now = clock.millis();
    List<Instance> running = pod.instances().stream().filter(Instance::running).toList();
    running.forEach(instance -> instance.kill(now));
    pod.instances().stream().filter(Instance::created).forEach(this::cancel);
    running.forEach(this::tellEnd);
  }

  /** Cancels a start. Only its caller knows the instance, so the listener is not notified. */
  private void cancel(Instance instance) {
    queue.remove(instance);
    instance.pod.drop(instance);
    failStart(instance, "ContainerStopped", "stopped before it started");
  }

  /** Reports the death of a sandbox whose pod the table has already removed. */
  void lose(SimulatedPod pod) {
    pod.instances().forEach(queue::remove);
    listener.sandboxLost(pod.ref);
    for (Instance instance : pod.instances()) {
      failStart(instance, "SandboxLost", "the sandbox was lost");
      ends.tell(instance);
      completeStop(instance);
    }
  }

  /** Stops reporting this pod and fails its pending calls. */
  void abandon(SimulatedPod pod) {
    for (Instance instance : pod.instances()) {
      queue.remove(instance);
      failStart(instance, "NodeReleased", "another agent may serve the node now");
      failStop(instance, "NodeReleased", "another agent may serve the node now");
      ends.tell(instance);
    }
  }

  /** Fails all pending calls. */
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

  /** Completes the start with the current record, as the listener may have stopped it. */
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
   * A pending start.
   *
   * @param error failure of the start once its delay has passed; null for none
   */
  private record Start(Promise<ContainerRecord> done, @Nullable String error) {}
}
