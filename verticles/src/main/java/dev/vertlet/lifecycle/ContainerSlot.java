package dev.vertlet.lifecycle;

import dev.vertlet.model.ContainerStateView.Running;
import dev.vertlet.model.ContainerStateView.Terminated;
import dev.vertlet.model.ContainerStateView.Waiting;
import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodSpecView;
import dev.vertlet.provider.ContainerRecord;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the core remembers of one container of one pod. Changed only by {@link PodState}'s owner, on
 * the core's context. Times are epoch milliseconds.
 */
final class ContainerSlot {
  final ContainerKind kind;
  ContainerView view;
  StartStep step = StartStep.IDLE;

  /** The newest instance, null before the first. */
  @Nullable ContainerRecord current;

  /** How the instance before ended. */
  @Nullable Terminated last;

  /** Instances before the newest one; what the API server was told never gets less. */
  int restartCount;

  /** Image of the spec that the newest instance was started with. */
  String runImage;

  /** The same for the start in flight. */
  String startImage;

  /** Identity of the image for the next start, while {@link #step} is READY or STARTING. */
  @Nullable String imageId;

  /** Why the container is not running, after a failed start or in back-off. */
  @Nullable String waitReason;

  @Nullable String waitMessage;
  @Nullable SlotBackOff backOff;

  /** No start before this time, after a failed one. */
  long retryAt;

  /** When the newest stop that was asked for takes effect; 0 when none was. */
  long stopDeadline;

  /** The newest instance is a sidecar that was told of its end, and waits for its turn. */
  boolean announced;

  /**
   * Has to run again whatever its restart policy says: an init container in a new sandbox, or a
   * container whose definition changed.
   */
  boolean rerun;

  /**
   * The newest instance was asked to end so that another one takes its place, which has not been
   * made.
   */
  boolean swapping;

  /** The newest instance was asked to end because a probe failed. */
  boolean probeKilled;

  /** The log of the newest instance, which has ended, was read for its message. */
  boolean messageRead;

  /** Null for a container without probes. */
  @Nullable SlotProbes probes;

  /** Null for a container without hooks. */
  @Nullable SlotHooks hooks;

  ContainerSlot(ContainerKind kind, ContainerView view) {
    this.kind = kind;
    this.view = view;
    this.runImage = view.image();
    this.startImage = view.image();
  }

  String name() {
    return view.name();
  }

  boolean running() {
    return current != null && current.running();
  }

  boolean sidecar() {
    return kind == ContainerKind.INIT && view.sidecar();
  }

  /** Adds the ids of the images that it has, or is about to have. */
  void addImages(Set<String> ids) {
    if (current != null) {
      ids.add(current.imageId());
    }
    if (imageId != null) {
      ids.add(imageId);
    }
  }

  /** How the newest instance ended; null when it runs or there is none. */
  @Nullable Terminated end() {
    return current != null && current.state() instanceof Terminated end ? end : null;
  }

  /** The newest instance runs and its start-up checks, if it has any, agree. */
  boolean started() {
    return running()
        && current != null
        && !Boolean.FALSE.equals(current.started())
        && (probes == null || probes.started())
        && !starting();
  }

  /** The newest instance runs and its postStart hook has not been done. */
  boolean starting() {
    return hooks != null && hooks.starting();
  }

  /** It is started, and its readiness checks, if it has any, agree. */
  boolean ready() {
    return started()
        && current != null
        && !Boolean.FALSE.equals(current.ready())
        && (probes == null || probes.ready());
  }

  /** An init container that has done its work in this sandbox. */
  boolean completed() {
    Terminated end = end();
    return !rerun && end != null && end.exitCode() == 0;
  }

  /** Runs with another image than the spec names now. Init containers are left to end. */
  boolean definitionChanged() {
    return running()
        && !runImage.equals(view.image())
        && (kind == ContainerKind.REGULAR || sidecar());
  }

  /** Another image is wanted than what runs, or ran until it was to give way to that. */
  boolean outdated() {
    return definitionChanged() || (swapping && !runImage.equals(view.image()));
  }

  /** Whether another instance is due, perhaps after a pause. */
  boolean wantsStart(PodSpecView spec) {
    if (running()) {
      return false;
    }
    Terminated end = end();
    if (end == null || rerun || (probeKilled && RestartRules.possible(spec, view))) {
      return true;
    }
    return kind != ContainerKind.EPHEMERAL && RestartRules.allowed(spec, view, end.exitCode());
  }

  /** It has no history, nothing is under way for it, and nothing is wanted of it. */
  boolean steady() {
    return step == StartStep.IDLE
        && restartCount == 0
        && last == null
        && waitReason == null
        && backOff == null
        && retryAt == 0
        && stopDeadline == 0
        && !announced
        && !rerun
        && !swapping
        && !probeKilled
        && probes == null
        && hooks == null
        && runImage.equals(view.image());
  }

  boolean mayRun() {
    return running() || step == StartStep.STARTING;
  }

  boolean inFlight() {
    return step == StartStep.INSPECTING || step == StartStep.PULLING || step == StartStep.STARTING;
  }

  /** Number of the next instance. */
  int nextAttempt() {
    return current == null ? restartCount : restartCount + 1;
  }

  /** When the newest instance ended, by its own word; 0 when unknown. */
  long finishedAt() {
    return finishedAt(end());
  }

  private static long finishedAt(@Nullable Terminated end) {
    Instant finished = end == null ? null : end.finishedAt();
    return finished == null ? 0 : finished.toEpochMilli();
  }

  /** A stop that was asked for is not asked for again before this time. */
  long stopAgainAt() {
    return Math.max(stopDeadline == 0 ? 0 : stopDeadline + StopPlan.STOP_MARGIN, retryAt);
  }

  /**
   * Until when a restart has to wait; 0 when it need not. A kubelet that ends a container for a
   * probe starts it again in the same sync: it goes by the end of the instance before, which may be
   * long ago.
   */
  long restartAfter(SlotBackOff pauses) {
    int attempt = nextAttempt();
    long finished = finishedAt();
    boolean atOnce = probeKilled && pauses.restartAfter(attempt, finishedAt(last)) <= finished;
    return atOnce ? 0 : pauses.restartAfter(attempt, finished);
  }

  SlotBackOff backOffs() {
    SlotBackOff made = backOff;
    if (made == null) {
      made = new SlotBackOff();
      backOff = made;
    }
    return made;
  }

  /**
   * Takes what the runtime says of an instance. One that was made and has not started is none yet:
   * its start is either under way or tried again under the same number.
   *
   * @return whether anything changed
   */
  boolean observe(ContainerRecord record) {
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
      stopDeadline = 0;
      if (hooks != null) {
        hooks.ended();
      }
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
    step = StartStep.IDLE;
    imageId = null;
    waitReason = null;
    waitMessage = null;
    retryAt = 0;
    stopDeadline = 0;
    announced = false;
    rerun = false;
    swapping = false;
    probeKilled = false;
    messageRead = false;
    runImage = startImage;
    if (probes != null && record.state() instanceof Running now) {
      probes.instance(now.startedAt() == null ? 0 : now.startedAt().toEpochMilli());
    }
  }

  /**
   * Its pod starts anew: the newest instance counts as removed. One that waited already stays told
   * of as it was.
   */
  void reset() {
    if (current == null) {
      return;
    }
    boolean waited = waitReason != null;
    Terminated ended = end();
    int next = nextAttempt();
    last = waited && ended != null ? ended : RestartOfAll.END;
    current = null;
    restartCount = next;
    step = StartStep.IDLE;
    imageId = null;
    retryAt = 0;
    stopDeadline = 0;
    announced = false;
    rerun = false;
    swapping = false;
    probeKilled = false;
    waitReason = waited ? null : RestartOfAll.REASON;
    waitMessage = waited ? null : RestartOfAll.MESSAGE;
    if (hooks != null) {
      hooks.ended();
    }
  }

  /** The newest instance counts as removed, and none has followed. */
  boolean removed() {
    return current == null && last != null && RestartOfAll.REASON.equals(last.reason());
  }

  /**
   * Takes what the API server shows of a container that is to start anew.
   *
   * @param restarts as shown: the next instance included
   */
  void removed(Terminated ended, int restarts) {
    current = null;
    last = ended;
    restartCount = restarts;
  }

  /** An instance that has ended left this message; empty for none. */
  void says(String instance, String message) {
    ContainerRecord known = current;
    if (message.isEmpty()) {
      return;
    }
    if (known != null && known.id().equals(instance) && known.state() instanceof Terminated end) {
      current = saying(known, end, message);
    } else if (last != null && instance.equals(last.containerId())) {
      last = saying(last, message);
    }
  }

  private static ContainerRecord saying(ContainerRecord record, Terminated end, String message) {
    return new ContainerRecord(
        record.id(),
        record.name(),
        record.attempt(),
        record.image(),
        record.imageId(),
        saying(end, message),
        record.started(),
        record.ready(),
        record.user());
  }

  private static Terminated saying(Terminated end, String message) {
    return new Terminated(
        end.exitCode(),
        end.signal(),
        end.reason(),
        message,
        end.startedAt(),
        end.finishedAt(),
        end.containerId());
  }

  /** Takes a new definition. Another image is tried at once, its pauses are its own. */
  void redefine(ContainerView replacement) {
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
      waitReason = null;
      waitMessage = null;
    }
  }

  /** The image for the next start is there. */
  void resolved(String identity) {
    step = StartStep.READY;
    imageId = identity;
  }

  /** A start did not happen. */
  void failed(String reason, @Nullable String message, long retryAt) {
    step = StartStep.IDLE;
    imageId = null;
    this.retryAt = retryAt;
    wait(reason, message);
  }

  /** Shows why the container waits. */
  void wait(String reason, @Nullable String message) {
    waitReason = reason;
    waitMessage = message;
  }

  boolean waitsFor(String reason) {
    return Objects.equals(waitReason, reason);
  }

  /** Nobody knows how the newest instance ended; it is told as the kubelet tells it. */
  void vanished(Instant now) {
    ContainerRecord lost = current;
    if (lost == null || !(lost.state() instanceof Running running)) {
      return;
    }
    current = Unlocated.record(lost, running.startedAt(), now);
    messageRead = true; // nobody knows where its log is
    stopDeadline = 0;
    if (hooks != null) {
      hooks.ended();
    }
  }
}
