package dev.vertlet.lifecycle.container;

import dev.vertlet.model.ContainerStateView.Running;
import dev.vertlet.model.ContainerStateView.Terminated;
import dev.vertlet.model.ContainerStateView.Waiting;
import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodSpecView;
import dev.vertlet.provider.ContainerRecord;
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
  private StartStep step = StartStep.IDLE;
  private @Nullable ContainerRecord current;
  private @Nullable Terminated last;
  private int restartCount;
  private String runImage;

  /** The spec's image at the start in flight; {@link #runImage} is the newest instance's. */
  private String startImage;

  private @Nullable String imageId;
  private @Nullable Waiting waiting;
  private @Nullable SlotBackOff backOff;
  private long retryAt;
  private StopState stop = StopState.NONE;
  private boolean messageRead;
  private @Nullable SlotProbes probes;
  private @Nullable SlotHooks hooks;

  public ContainerSlot(ContainerKind kind, ContainerView view) {
    this.kind = kind;
    this.view = view;
    this.runImage = view.image();
    this.startImage = view.image();
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

  /** Progress of the next instance's start. */
  public StartStep step() {
    return step;
  }

  /** The newest instance, null before the first. */
  public @Nullable ContainerRecord current() {
    return current;
  }

  /** How the previous instance ended. */
  public @Nullable Terminated last() {
    return last;
  }

  /** Number of instances before the newest; never falls below what the API server has. */
  public int restartCount() {
    return restartCount;
  }

  /** Id of the image for the next start, while {@link #step} is READY or STARTING. */
  public @Nullable String imageId() {
    return imageId;
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
    return messageRead;
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
    return current != null && current.running();
  }

  /** Adds the ids of the images that the container uses, or is about to use. */
  public void addImages(Set<String> ids) {
    if (current != null) {
      ids.add(current.imageId());
    }
    if (imageId != null) {
      ids.add(imageId);
    }
  }

  /** How the newest instance ended; null when it runs, or without one. */
  public @Nullable Terminated end() {
    return current != null && current.state() instanceof Terminated end ? end : null;
  }

  /** Whether the newest instance runs and its startup checks, if any, have passed. */
  public boolean started() {
    return running()
        && current != null
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
    return running()
        && !runImage.equals(view.image())
        && (kind == ContainerKind.REGULAR || sidecar());
  }

  /** Whether the newest instance was started with another image than the spec has now. */
  public boolean otherImage() {
    return !runImage.equals(view.image());
  }

  /** Whether the spec has another image than the running instance, or one being replaced. */
  public boolean outdated() {
    return definitionChanged() || (stop.swapping() && otherImage());
  }

  /** Whether another instance is due, perhaps after a pause. */
  public boolean wantsStart(PodSpecView spec) {
    if (running()) {
      return false;
    }
    Terminated end = end();
    boolean again = stop.rerun() || (stop.probeKilled() && RestartRules.possible(spec, view));
    if (end == null || again) {
      return true;
    }
    return kind != ContainerKind.EPHEMERAL && RestartRules.allowed(spec, view, end.exitCode());
  }

  /** Whether the container has no history, nothing is under way for it, and nothing is due. */
  public boolean steady() {
    return step == StartStep.IDLE
        && restartCount == 0
        && last == null
        && waiting == null
        && backOff == null
        && retryAt == 0
        && stop.equals(StopState.NONE)
        && probes == null
        && hooks == null
        && !otherImage();
  }

  public boolean mayRun() {
    return running() || step == StartStep.STARTING;
  }

  public boolean inFlight() {
    return step == StartStep.INSPECTING || step == StartStep.PULLING || step == StartStep.STARTING;
  }

  /** Number of the next instance. */
  public int nextAttempt() {
    return current == null ? restartCount : restartCount + 1;
  }

  /** When the newest instance ended, as the runtime reports it; 0 when unknown. */
  public long finishedAt() {
    return finishedAt(end());
  }

  private static long finishedAt(@Nullable Terminated end) {
    Instant finished = end == null ? null : end.finishedAt();
    return finished == null ? 0 : finished.toEpochMilli();
  }

  /** A stop is not repeated before this time. */
  public long stopAgainAt() {
    return Math.max(stop.deadline() == 0 ? 0 : stop.deadline() + STOP_MARGIN, retryAt);
  }

  /**
   * Time until which a restart waits; 0 for no wait. A kubelet that ends a container for a probe
   * starts it again in the same sync: its back-off counts from the end of the previous instance,
   * which may be long ago.
   */
  public long restartAfter(SlotBackOff pauses) {
    int attempt = nextAttempt();
    long finished = finishedAt();
    boolean atOnce =
        stop.probeKilled() && pauses.restartAfter(attempt, finishedAt(last)) <= finished;
    return atOnce ? 0 : pauses.restartAfter(attempt, finished);
  }

  /**
   * Takes the runtime's record of an instance. Ignores one that was made and has not started: its
   * start is either under way or retried under the same number.
   *
   * @return whether anything changed
   */
  public boolean observe(ContainerRecord record) {
    ContainerRecord known = current;
    if (record.state() instanceof Waiting) {
      return false;
    }
    if (known == null ? record.attempt() < restartCount : !newer(known, record)) {
      return false; // an older or removed instance, or no change
    }
    if (known == null || !known.id().equals(record.id())) {
      replaced(record);
    }
    current = record;
    if (record.state() instanceof Terminated) {
      ended();
    }
    return true;
  }

  private static boolean newer(ContainerRecord known, ContainerRecord record) {
    if (!known.id().equals(record.id())) {
      return record.attempt() > known.attempt();
    }
    // an end is final: an earlier state may arrive after it
    return !(known.state() instanceof Terminated) && !known.equals(record);
  }

  private void replaced(ContainerRecord record) {
    Terminated ended = end();
    if (ended != null) {
      last = ended;
    }
    restartCount = Math.max(restartCount, record.attempt());
    if (hooks != null) {
      hooks.instance(step == StartStep.STARTING);
    }
    settled();
    waiting = null;
    messageRead = false;
    runImage = startImage;
    if (probes != null && record.state() instanceof Running now) {
      probes.instance(now.startedAt() == null ? 0 : now.startedAt().toEpochMilli());
    }
  }

  /** Resets the start and the stop of the container. */
  private void settled() {
    step = StartStep.IDLE;
    imageId = null;
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
    ContainerRecord lost = current;
    if (lost != null && lost.state() instanceof Running running) {
      current = Unlocated.record(lost, running.startedAt(), now);
      messageRead = true; // its log cannot be found
      ended();
    }
  }

  /** Closes the container with its pod: a running instance has ended, and no start is pending. */
  public void close(Instant now) {
    vanished(now);
    step = StartStep.IDLE;
  }

  /**
   * Resets the container in a restart of all: its newest instance counts as removed. One that was
   * waiting already keeps its status.
   */
  public void reset() {
    if (current == null) {
      return;
    }
    Terminated ended = end();
    last = waiting != null && ended != null ? ended : RestartOfAll.END;
    restartCount = nextAttempt();
    current = null;
    waiting = waiting == null ? RestartOfAll.WAITING : null;
    settled();
    if (hooks != null) {
      hooks.ended();
    }
  }

  /** Whether the newest instance counts as removed, with none after it. */
  public boolean removed() {
    return current == null && last != null && RestartOfAll.REASON.equals(last.reason());
  }

  /** Ends the wait of a restart of all, after another container of the pod has started. */
  public void startedAnew() {
    if (waitsFor(RestartOfAll.REASON)) {
      waiting = null;
    }
  }

  /** Sets the message of an ended instance; empty for none. */
  public void says(String instance, String message) {
    ContainerRecord known = current;
    if (message.isEmpty()) {
      return;
    }
    if (known != null && known.id().equals(instance) && known.state() instanceof Terminated end) {
      current = known.withState(end.withMessage(message));
    } else if (last != null && instance.equals(last.containerId())) {
      last = last.withMessage(message);
    }
  }

  /** Notes that the log of the newest instance is being read, so that it is read only once. */
  public void readingMessage() {
    messageRead = true;
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
      step = step == StartStep.STARTING ? step : StartStep.IDLE;
      backOff = null;
      retryAt = 0;
      waiting = null;
    }
  }

  /** Notes that the runtime is asked whether the node has the image. */
  public void inspecting() {
    step = StartStep.INSPECTING;
  }

  /** Notes that the node does not have the image. */
  public void imageAbsent() {
    step = StartStep.ABSENT;
  }

  public void pulling() {
    step = StartStep.PULLING;
  }

  /** Notes that the node has the image for the next start. */
  public void imageFound(String identity) {
    step = StartStep.READY;
    imageId = identity;
  }

  /** Delays a start whose image is present and whose environment is not. */
  public void postponeStart(long until) {
    retryAt = until;
  }

  /**
   * Retries at once a start that waits for its environment.
   *
   * @return whether it waited
   */
  public boolean hurryStart() {
    boolean waits =
        step == StartStep.READY
            || (step == StartStep.IDLE && waitsFor(WaitReasons.CREATE_CONTAINER_CONFIG_ERROR));
    if (waits) {
      retryAt = 0;
    }
    return waits;
  }

  /** Notes that the runtime is asked to start the next instance. */
  public void startRequested() {
    step = StartStep.STARTING;
    startImage = view.image();
  }

  /** Notes a failed start. */
  public void startFailed(String reason, @Nullable String message, long retryAt) {
    step = StartStep.IDLE;
    imageId = null;
    this.retryAt = retryAt;
    wait(reason, message);
  }

  /** Ends a start that the runtime will never make; the pod fails. */
  public void startRefused() {
    step = StartStep.IDLE;
  }

  /** Sets the reason why the container waits. */
  public void wait(String reason, @Nullable String message) {
    waiting = new Waiting(reason, message);
  }

  /** Announces its end to a sidecar that still waits for other containers to end. */
  public void announceStop() {
    stop = stop.toldOfTurn();
  }

  /**
   * Stops the newest instance; its preStop hook may run first.
   *
   * @param deadline when the stop takes effect
   */
  public void stopRequested(long deadline, StopCause cause) {
    stop = stop.requested(deadline, cause);
  }

  /** Moves the deadline of the stop. */
  public void stopBy(long deadline) {
    stop = stop.until(deadline);
  }

  /** Notes a failed stop. */
  public void stopFailed(long retryAt) {
    stop = stop.over();
    this.retryAt = retryAt;
  }

  /** Has a container that has run before run again in a new sandbox. */
  public void rerunInNewSandbox() {
    stop = stop.followed(current != null, stop.swapping());
  }

  /** Restores a replacement from before the agent's restart. */
  public void restoreSwap() {
    stop = stop.followed(true, true);
  }

  /** Restores an image from before the agent's restart that differs from the spec's. */
  public void restoreImage(String image) {
    runImage = image;
  }

  /**
   * Takes what the runtime or the API server has from before a restart of the agent.
   *
   * @param newest the newest instance, null for none
   * @param before how the previous instance ended, null if unknown
   * @param restarts least number of instances before the newest one
   */
  public void restore(@Nullable ContainerRecord newest, @Nullable Terminated before, int restarts) {
    current = newest;
    last = before;
    restartCount = Math.max(restartCount, restarts);
  }
}
