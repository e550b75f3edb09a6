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
 * What the core remembers of one container of one pod. All that happens to the container is a
 * method here, and nobody else writes a field. Belongs to the core's context. Times are epoch
 * milliseconds.
 *
 * <pre>
 *   start:  IDLE -> INSPECTING -> ABSENT -> PULLING -> READY -> STARTING -> IDLE, with an instance
 *           a failed step goes back to IDLE, with a reason to wait and a time to try again
 *   stop:   stopRequested() -> observe(the end) | vanished() | stopFailed()
 * </pre>
 */
public final class ContainerSlot {
  /** A stop that has not worked so long after its time is asked for again. */
  public static final long STOP_MARGIN = 10_000;

  private final ContainerKind kind;
  private ContainerView view;
  private StartStep step = StartStep.IDLE;
  private @Nullable ContainerRecord current;
  private @Nullable Terminated last;
  private int restartCount;
  private String runImage;

  /** Image of the spec of the start in flight, as {@link #runImage} of the newest instance. */
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
   * Gives the container what its spec has of hooks and probes.
   *
   * @param since when the pod was taken in
   */
  public void addCare(long since) {
    hooks = SlotHooks.of(view);
    probes = SlotProbes.of(view, since);
  }

  public ContainerKind kind() {
    return kind;
  }

  /** Its definition. */
  public ContainerView view() {
    return view;
  }

  public String name() {
    return view.name();
  }

  public boolean sidecar() {
    return kind == ContainerKind.INIT && view.sidecar();
  }

  /** How far the start of the next instance has got. */
  public StartStep step() {
    return step;
  }

  /** The newest instance, null before the first. */
  public @Nullable ContainerRecord current() {
    return current;
  }

  /** How the instance before ended. */
  public @Nullable Terminated last() {
    return last;
  }

  /** Instances before the newest one; what the API server was told never gets less. */
  public int restartCount() {
    return restartCount;
  }

  /** Identity of the image for the next start, while {@link #step} is READY or STARTING. */
  public @Nullable String imageId() {
    return imageId;
  }

  /** Why the container is not running, after a failed start or in back-off; null for no reason. */
  public @Nullable Waiting waiting() {
    return waiting;
  }

  public boolean waitsFor(String reason) {
    return waiting != null && reason.equals(waiting.reason());
  }

  /** Null for a container without trouble so far. */
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

  /** No start before this time, after a failed one. */
  public long retryAt() {
    return retryAt;
  }

  /** What the newest instance was asked for. */
  public StopState stop() {
    return stop;
  }

  /** The log of the newest instance, which has ended, was read for its message. */
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

  /** Adds the ids of the images that it has, or is about to have. */
  public void addImages(Set<String> ids) {
    if (current != null) {
      ids.add(current.imageId());
    }
    if (imageId != null) {
      ids.add(imageId);
    }
  }

  /** How the newest instance ended; null when it runs or there is none. */
  public @Nullable Terminated end() {
    return current != null && current.state() instanceof Terminated end ? end : null;
  }

  /** The newest instance runs and its start-up checks, if it has any, agree. */
  public boolean started() {
    return running()
        && current != null
        && !Boolean.FALSE.equals(current.started())
        && (probes == null || probes.started())
        && !starting();
  }

  /** The newest instance runs and its postStart hook has not been done. */
  public boolean starting() {
    return hooks != null && hooks.starting();
  }

  /** It is started, and its readiness checks, if it has any, agree. */
  public boolean ready() {
    return started()
        && current != null
        && !Boolean.FALSE.equals(current.ready())
        && (probes == null || probes.ready());
  }

  /** An init container that has done its work in this sandbox. */
  public boolean completed() {
    Terminated end = end();
    return !stop.rerun() && end != null && end.exitCode() == 0;
  }

  /** Runs with another image than the spec names now. Init containers are left to end. */
  public boolean definitionChanged() {
    return running()
        && !runImage.equals(view.image())
        && (kind == ContainerKind.REGULAR || sidecar());
  }

  /** The newest instance was not started with the image that the spec names now. */
  public boolean otherImage() {
    return !runImage.equals(view.image());
  }

  /** Another image is wanted than what runs, or ran until it was to give way to that. */
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

  /** It has no history, nothing is under way for it, and nothing is wanted of it. */
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

  /** When the newest instance ended, by its own word; 0 when unknown. */
  public long finishedAt() {
    return finishedAt(end());
  }

  private static long finishedAt(@Nullable Terminated end) {
    Instant finished = end == null ? null : end.finishedAt();
    return finished == null ? 0 : finished.toEpochMilli();
  }

  /** A stop that was asked for is not asked for again before this time. */
  public long stopAgainAt() {
    return Math.max(stop.deadline() == 0 ? 0 : stop.deadline() + STOP_MARGIN, retryAt);
  }

  /**
   * Until when a restart has to wait; 0 when it need not. A kubelet that ends a container for a
   * probe starts it again in the same sync: it goes by the end of the instance before, which may be
   * long ago.
   */
  public long restartAfter(SlotBackOff pauses) {
    int attempt = nextAttempt();
    long finished = finishedAt();
    boolean atOnce =
        stop.probeKilled() && pauses.restartAfter(attempt, finishedAt(last)) <= finished;
    return atOnce ? 0 : pauses.restartAfter(attempt, finished);
  }

  /**
   * Takes what the runtime says of an instance. One that was made and has not started is none yet:
   * its start is either under way or tried again under the same number.
   *
   * @return whether anything changed
   */
  public boolean observe(ContainerRecord record) {
    ContainerRecord known = current;
    if (record.state() instanceof Waiting) {
      return false;
    }
    if (known == null ? record.attempt() < restartCount : !newer(known, record)) {
      return false; // that of one that was removed, where none is known
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
    // an end is final: what was said before it may arrive after it
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

  /** Nothing is under way for the container, and nothing is asked of it. */
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

  /** Nobody knows how the newest instance ended; it is told as the kubelet tells it. */
  public void vanished(Instant now) {
    ContainerRecord lost = current;
    if (lost != null && lost.state() instanceof Running running) {
      current = Unlocated.record(lost, running.startedAt(), now);
      messageRead = true; // nobody knows where its log is
      ended();
    }
  }

  /** Its pod is over: what runs has ended unseen, and what was under way never comes. */
  public void close(Instant now) {
    vanished(now);
    step = StartStep.IDLE;
  }

  /**
   * Its pod starts anew: the newest instance counts as removed. One that waited already stays told
   * of as it was.
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

  /** The newest instance counts as removed, and none has followed. */
  public boolean removed() {
    return current == null && last != null && RestartOfAll.REASON.equals(last.reason());
  }

  /** A container of its pod has started anew: this one waits as any other does. */
  public void startedAnew() {
    if (waitsFor(RestartOfAll.REASON)) {
      waiting = null;
    }
  }

  /** An instance that has ended left this message; empty for none. */
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

  /** The log of the newest instance is read: it is not to be read again. */
  public void readingMessage() {
    messageRead = true;
  }

  /** Takes a new definition. Another image is tried at once, its pauses are its own. */
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

  /** The runtime is asked whether its node has the image. */
  public void inspecting() {
    step = StartStep.INSPECTING;
  }

  /** Its node does not have the image. */
  public void imageAbsent() {
    step = StartStep.ABSENT;
  }

  public void pulling() {
    step = StartStep.PULLING;
  }

  /** The image for the next start is there. */
  public void imageFound(String identity) {
    step = StartStep.READY;
    imageId = identity;
  }

  /** The start waits, with its image there, for what else it needs. */
  public void postponeStart(long until) {
    retryAt = until;
  }

  /**
   * What a start waits for may be there now.
   *
   * @return whether it waited; it is tried at once then
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

  /** The runtime is asked to start the next instance. */
  public void startRequested() {
    step = StartStep.STARTING;
    startImage = view.image();
  }

  /** A start did not happen. */
  public void startFailed(String reason, @Nullable String message, long retryAt) {
    step = StartStep.IDLE;
    imageId = null;
    this.retryAt = retryAt;
    wait(reason, message);
  }

  /** The runtime will never start it: its pod fails. */
  public void startRefused() {
    step = StartStep.IDLE;
  }

  /** Shows why the container waits. */
  public void wait(String reason, @Nullable String message) {
    waiting = new Waiting(reason, message);
  }

  /** The newest instance, a sidecar, is told of its end before its turn has come. */
  public void announceStop() {
    stop = stop.toldOfTurn();
  }

  /**
   * The newest instance is to end by then; its preStop hook may run first.
   *
   * @param deadline when the stop takes effect
   */
  public void stopRequested(long deadline, StopCause cause) {
    stop = stop.requested(deadline, cause);
  }

  /** The stop that was asked for takes effect at another time. */
  public void stopBy(long deadline) {
    stop = stop.until(deadline);
  }

  /** The newest instance was not stopped. */
  public void stopFailed(long retryAt) {
    stop = stop.over();
    this.retryAt = retryAt;
  }

  /** Its sandbox is another one: what has run before runs again. */
  public void rerunInNewSandbox() {
    stop = stop.followed(current != null, stop.swapping());
  }

  /** As an agent before this one left it: the newest instance gives way to another one. */
  public void restoreSwap() {
    stop = stop.followed(true, true);
  }

  /** As an agent before this one left it: the newest instance has another image than the spec. */
  public void restoreImage(String image) {
    runImage = image;
  }

  /**
   * Takes what the runtime or the API server remembers from before a restart of the agent.
   *
   * @param newest its newest instance, null for none
   * @param before how the instance before that ended, null where that is not known
   * @param restarts instances before the newest one, at least
   */
  public void restore(@Nullable ContainerRecord newest, @Nullable Terminated before, int restarts) {
    current = newest;
    last = before;
    restartCount = Math.max(restartCount, restarts);
  }
}
