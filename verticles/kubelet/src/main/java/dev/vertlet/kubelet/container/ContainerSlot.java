package dev.vertlet.kubelet.container;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.provider.container.ContainerRecord;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * State of one container of one pod. Each thing that happens to the container is a method here, and
 * no other class writes a field. Belongs to the core's context. Times are epoch milliseconds.
 *
 * <pre>
 *   start:  IDLE -> INSPECTING -> ABSENT -> PULLING -> READY -> STARTING -> IDLE, with an instance
 *           a failed step goes back to IDLE, with a reason to wait and a time to try again
 *   stop:   stopRequested() -> observe(the end) | vanished() | stopFailed()
 * </pre>
 */
public final class ContainerSlot {
  /** A stop is repeated when it has not worked this long after its deadline. */
  public static final long STOP_MARGIN = 10_000;

  private final ContainerKind kind;
  private ContainerView view;
  private Instances instances;
  private StartState start = StartState.NONE;
  private @Nullable Waiting waiting;
  private @Nullable SlotBackOff backOff;
  private long retryAt;
  private StopState stop = StopState.NONE;
  private @Nullable SlotProbes probes;
  private @Nullable SlotHooks hooks;

  public ContainerSlot(ContainerKind kind, ContainerView view) {
    this.kind = kind;
    this.view = view;
    this.instances = Instances.none(view.image());
  }

  /**
   * Sets up the hooks and probes of the spec.
   *
   * @param since when the core took the pod in
   */
  public void addCare(long since) {
    hooks = SlotHooks.of(view);
    probes = SlotProbes.of(view, since);
  }

  public ContainerKind kind() {
    return kind;
  }

  /** The container's definition. */
  public ContainerView view() {
    return view;
  }

  public String name() {
    return view.name();
  }

  public boolean sidecar() {
    return kind == ContainerKind.INIT && view.sidecar();
  }

  /** The start of the next instance. */
  public StartState start() {
    return start;
  }

  /** The newest instance, null before the first. */
  public @Nullable ContainerRecord current() {
    return instances.current();
  }

  /** How the previous instance ended. */
  public @Nullable Terminated last() {
    return instances.last();
  }

  /** Number of instances before the newest; never falls below what the API server has. */
  public int restartCount() {
    return instances.restarts();
  }

  /** Why the container does not run, after a failed start or in back-off; null for no reason. */
  public @Nullable Waiting waiting() {
    return waiting;
  }

  public boolean waitsFor(String reason) {
    return waiting != null && reason.equals(waiting.reason());
  }

  /** Null for a container without failures so far. */
  public @Nullable SlotBackOff backOff() {
    return backOff;
  }

  public SlotBackOff backOffs() {
    SlotBackOff made = backOff;
    if (made == null) {
      made = new SlotBackOff();
      backOff = made;
    }
    return made;
  }

  /** Time of the next start, after a failed one. */
  public long retryAt() {
    return retryAt;
  }

  /** The stop of the newest instance. */
  public StopState stop() {
    return stop;
  }

  /** Whether the log of the newest, ended instance was read for its message. */
  public boolean messageRead() {
    return instances.logRead();
  }

  /** Null for a container without probes. */
  public @Nullable SlotProbes probes() {
    return probes;
  }

  /** Null for a container without hooks. */
  public @Nullable SlotHooks hooks() {
    return hooks;
  }

  public boolean running() {
    return instances.running();
  }

  /** Adds the ids of the images that the container uses, or is about to use. */
  public void addImages(Set<String> ids) {
    if (current() != null) {
      ids.add(current().imageId());
    }
    if (start.imageId() != null) {
      ids.add(start.imageId());
    }
  }

  /** How the newest instance ended; null when it runs, or without one. */
  public @Nullable Terminated end() {
    return instances.end();
  }

  /** Whether the newest instance runs and its startup checks, if any, have passed. */
  public boolean started() {
    ContainerRecord current = current();
    return current != null
        && current.running()
        && !Boolean.FALSE.equals(current.started())
        && (probes == null || probes.started())
        && !starting();
  }

  /** Whether the newest instance runs and its postStart hook is not done. */
  public boolean starting() {
    return hooks != null && hooks.starting();
  }

  /** Whether the container is started and its readiness checks, if any, have passed. */
  public boolean ready() {
    ContainerRecord current = current();
    return started()
        && current != null
        && !Boolean.FALSE.equals(current.ready())
        && (probes == null || probes.ready());
  }

  /** Whether an init container has done its work in this sandbox. */
  public boolean completed() {
    Terminated end = end();
    return !stop.rerun() && end != null && end.exitCode() == 0;
  }

  /** Whether the running image differs from the spec's. Init containers are left to end. */
  public boolean definitionChanged() {
    return running() && otherImage() && (kind == ContainerKind.REGULAR || sidecar());
  }

  /** Whether the newest instance was started with another image than the spec has now. */
  public boolean otherImage() {
    return !instances.image().equals(view.image());
  }

  public boolean mayRun() {
    return running() || start.step() == StartStep.STARTING;
  }

  /** Number of the next instance. */
  public int nextAttempt() {
    return instances.next();
  }

  /** When the newest instance ended, as the runtime reports it; 0 when unknown. */
  public long finishedAt() {
    return instances.finishedAt();
  }

  /** When the previous instance ended; 0 when unknown. */
  public long lastFinishedAt() {
    return instances.lastFinishedAt();
  }

  /** A stop is not repeated before this time. */
  public long stopAgainAt() {
    return Math.max(stop.deadline() == 0 ? 0 : stop.deadline() + STOP_MARGIN, retryAt);
  }

  /**
   * Takes the runtime's record of an instance. Ignores one that was made and has not started: its
   * start is either under way or retried under the same number.
   *
   * @return whether anything changed
   */
  public boolean observe(ContainerRecord record) {
    if (!instances.outdatedBy(record)) {
      return false;
    }
    if (instances.isNew(record)) {
      replaced(record);
    } else {
      instances = instances.with(record);
    }
    if (record.state() instanceof Terminated) {
      ended();
    }
    return true;
  }

  private void replaced(ContainerRecord record) {
    boolean own = start.step() == StartStep.STARTING;
    String image = start.image();
    instances = instances.replacedBy(record, image == null ? instances.image() : image);
    if (hooks != null) {
      hooks.instance(own);
    }
    settled();
    waiting = null;
    if (probes != null && record.state() instanceof Running now) {
      probes.instance(now.startedAt() == null ? 0 : now.startedAt().toEpochMilli());
    }
  }

  /** Resets the start and the stop of the container. */
  private void settled() {
    start = StartState.NONE;
    retryAt = 0;
    stop = StopState.NONE;
  }

  private void ended() {
    stop = stop.over();
    if (hooks != null) {
      hooks.ended();
    }
  }

  /** Records an unknown end of the newest instance, with the kubelet's reason and message. */
  public void vanished(Instant now) {
    if (running()) {
      instances = instances.vanished(now);
      ended();
    }
  }

  /** Closes the container with its pod: a running instance has ended, and no start is pending. */
  public void close(Instant now) {
    vanished(now);
    start = StartState.NONE;
  }

  /**
   * Resets the container in a restart of all: its newest instance counts as removed. One that was
   * waiting already keeps its status.
   */
  public void reset() {
    if (current() == null) {
      return;
    }
    Terminated ended = end();
    instances = instances.removed(waiting != null && ended != null ? ended : RestartOfAll.END);
    waiting = waiting == null ? RestartOfAll.WAITING : null;
    settled();
    if (hooks != null) {
      hooks.ended();
    }
  }

  /** Ends the wait of a restart of all, after another container of the pod has started. */
  public void startedAnew() {
    if (waitsFor(RestartOfAll.REASON)) {
      waiting = null;
    }
  }

  /** Sets the message of an ended instance; empty for none. */
  public void says(String instance, String message) {
    if (!message.isEmpty()) {
      instances = instances.withMessage(instance, message);
    }
  }

  /** Notes that the log of the newest instance is being read, so that it is read only once. */
  public void readingMessage() {
    instances = instances.withLogRead();
  }

  /** Takes a new definition. A new image is tried at once, with a back-off of its own. */
  public void redefine(ContainerView replacement) {
    boolean otherImage = !replacement.image().equals(view.image());
    boolean resized = !replacement.resources().sameAmounts(view.resources());
    view = replacement;
    if (resized && backOff != null) {
      backOff.forgetRestarts();
    }
    if (otherImage) {
      start = start.step() == StartStep.STARTING ? start : start.over();
      backOff = null;
      retryAt = 0;
      waiting = null;
    }
  }

  /** Moves the start to its next state. */
  public void start(StartState next) {
    start = next;
  }

  /** Delays a start whose image is present and whose environment is not. */
  public void postponeStart(long until) {
    retryAt = until;
  }

  /** Notes that the runtime is asked to start the next instance. */
  public void startRequested() {
    start = start.requested(view.image());
  }

  /** Notes a failed start. */
  public void startFailed(String reason, @Nullable String message, long retryAt) {
    start = start.over();
    this.retryAt = retryAt;
    wait(reason, message);
  }

  /** Sets the reason why the container waits. */
  public void wait(String reason, @Nullable String message) {
    waiting = new Waiting(reason, message);
  }

  /** Moves the stop to its next state. */
  public void stop(StopState next) {
    stop = next;
  }

  /** Notes a failed stop. */
  public void stopFailed(long retryAt) {
    stop = stop.over();
    this.retryAt = retryAt;
  }

  /** Has a container that has run before run again in a new sandbox. */
  public void rerunInNewSandbox() {
    stop = stop.followed(current() != null, stop.swapping());
  }

  /** Restores an image from before the agent's restart that differs from the spec's. */
  public void restoreImage(String image) {
    instances = instances.withImage(image);
  }

  /**
   * Takes what the runtime or the API server has from before a restart of the agent.
   *
   * @param newest the newest instance, null for none
   * @param before how the previous instance ended, null if unknown
   * @param restarts least number of instances before the newest one
   */
  public void restore(@Nullable ContainerRecord newest, @Nullable Terminated before, int restarts) {
    instances = instances.restored(newest, before, restarts);
  }
}
