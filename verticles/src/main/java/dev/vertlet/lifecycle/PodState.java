package dev.vertlet.lifecycle;

import dev.vertlet.admission.NodeLedger;
import dev.vertlet.admission.Rejection;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.ProbeStats;
import dev.vertlet.provider.SandboxRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All the core remembers of one pod: one object, a slot for each container, and the statuses last
 * shown. Belongs to the core's context.
 *
 * <pre>
 *   RESTORING -> SYNCING -> ENDING -> FINISHED      one way; RESTORING may go to ENDING at once
 * </pre>
 */
final class PodState implements Held {
  /** Where the pod is on its way. */
  enum Life {
    /** The runtime is being asked what it has of the pod. */
    RESTORING,
    SYNCING,
    /** Containers are being stopped: deletion, deadline, or nothing is left to run. */
    ENDING,
    /** Nothing runs or will run, and the runtime holds nothing. */
    FINISHED
  }

  /** Least time a container is given to end (kubelet: never an immediate kill). */
  static final long MIN_GRACE = 1_000;

  /** As its node has granted it; what it asks for beyond that, {@link #resizing} knows. */
  PodView pod;

  ContainerSlot[] init;
  ContainerSlot[] regular;
  ContainerSlot[] ephemeral;
  Life life = Life.RESTORING;
  @Nullable SandboxRecord sandbox;
  int sandboxAttempt;
  boolean sandboxInFlight;
  long sandboxRetryAt;

  /** Its sandbox is not made before its volumes can be mounted. */
  boolean waitsForVolumes;

  /** Null while they were not found to be impossible to mount. */
  PodVolumes.@Nullable Attempts mounting;

  /** Not looked at again before, while its node has no network for it. */
  long networkRetryAt;

  /** Somebody asked for the pod's deletion; a pod may also end by itself. */
  boolean deleting;

  /** The exit of one container has all of them start anew, and not all of them have ended. */
  boolean restartingAll;

  /** When the grace of an ENDING pod is over. */
  long deadline = Long.MAX_VALUE;

  /** Since when a removal is unanswered; 0 when none was asked for. */
  long removingSince;

  /** No stop and no removal before this time, after a failed one. */
  long killRetryAt;

  /** Whether ending met an error, so that {@code fast} shows what is the matter. */
  boolean killFailed;

  /** Why the pod is Failed whatever its containers did; null while it is not. */
  @Nullable String failReason;

  @Nullable String failMessage;

  /** It was refused before anything of it ran: there is nothing to tell of its containers. */
  boolean refused;

  /** Message of its condition DisruptionTarget; null for a pod that nobody disrupted. */
  @Nullable String disruption;

  /** When the core accepted the pod, whole seconds. */
  final Instant startTime;

  /** As last assembled; at first what the API server holds, foreign conditions left out. */
  PodStatusView status;

  /** As last given to the context, null before the first. */
  @Nullable PodReport reported;

  /** The status has to be assembled again. */
  boolean dirty = true;

  /** The status tells of the resources of the pod as it is now. */
  boolean totalled;

  /** The relist during which the runtime's view of the pod last changed, see RuntimeRelist. */
  int touchedIn;

  /** The relist that last found the pod. */
  int listedIn;

  /** When the core first saw the pod, epoch milliseconds. */
  final long seenAt;

  /** What it was last counted as, see {@link PodShare}. */
  int share;

  /** When a quiet pod is looked at again. */
  long resyncAt;

  /** The core no longer answers for the pod: results that still arrive are dropped. */
  boolean forgotten;

  /** The API server holds the pod no longer: there is nothing to report to. */
  boolean silenced;

  /** Null while nothing of the pod is being resized. */
  @Nullable Resizing resizing;

  /** Where the pod's part of its node is kept; null while it takes none. */
  private @Nullable NodeLedger ledger;

  /** Who waits for it. */
  private List<Runnable> discharged = List.of();

  /** At least one container has a probe. */
  final boolean probed;

  /** At least one container has a hook. */
  final boolean hooked;

  /** A container's message may be the end of its log. */
  boolean readsLogs;

  /** Null while no log is being read. */
  @Nullable MessageReads messageReads;

  boolean driving;
  boolean again;

  final TimerWheel.Entry<PodState> timer = new TimerWheel.Entry<>(this);

  PodState(PodView pod, PodStatusView apiStatus, Instant now) {
    this.pod = pod;
    this.status = apiStatus;
    this.seenAt = now.toEpochMilli();
    Instant started = apiStatus.startTime();
    this.startTime = started == null ? now.truncatedTo(ChronoUnit.SECONDS) : started;
    this.init = Slots.of(ContainerKind.INIT, pod.spec().initContainers());
    this.regular = Slots.of(ContainerKind.REGULAR, pod.spec().containers());
    this.ephemeral = Slots.of(ContainerKind.EPHEMERAL, pod.spec().ephemeralContainers());
    this.hooked = Slots.hook(init) | Slots.hook(regular);
    this.probed = Slots.probe(init, now) | Slots.probe(regular, now);
    this.readsLogs = readLogs();
  }

  private boolean readLogs() {
    return Slots.readsLogs(init) || Slots.readsLogs(regular) || Slots.readsLogs(ephemeral);
  }

  /** The pod as the API server holds it, granted or not. */
  PodView desired() {
    PodView asked = resizing == null ? null : resizing.desired();
    return asked == null ? pod : asked;
  }

  @Override
  public PodView view() {
    return pod;
  }

  @Override
  public PodReport report() {
    return new PodReport(pod.ref(), node(), status, life == Life.FINISHED);
  }

  @Override
  public void addImages(Set<String> ids) {
    containers().forEach(slot -> slot.addImages(ids));
  }

  String node() {
    return pod.nodeName();
  }

  boolean ending() {
    return life == Life.ENDING;
  }

  /** The pod's address, empty while it has none. */
  String ip() {
    SandboxRecord own = sandbox;
    if (own != null && !own.ips().isEmpty()) {
      return own.ips().get(0);
    }
    String host = status.hostIP();
    return pod.spec().hostNetwork() && host != null ? host : "";
  }

  /** A container of the pod runs, or may be about to. */
  boolean mayRun() {
    return Slots.mayRun(init) || Slots.mayRun(regular) || Slots.mayRun(ephemeral);
  }

  /** The newest instance of a container has ended. */
  boolean hasEnd() {
    return Slots.hasEnd(init) || Slots.hasEnd(regular) || Slots.hasEnd(ephemeral);
  }

  /** A regular container has had an instance. */
  boolean initialized() {
    for (ContainerSlot slot : regular) {
      if (slot.current != null) {
        return true;
      }
    }
    return false;
  }

  /** The container of this name, null for one that the spec does not have. */
  @Nullable ContainerSlot slot(String name) {
    ContainerSlot found = Slots.find(regular, name);
    found = found == null ? Slots.find(init, name) : found;
    return found == null ? Slots.find(ephemeral, name) : found;
  }

  /** What came of the probes of its containers, those left out that have no answer yet. */
  void addProbes(List<ProbeStats> all) {
    Slots.addProbes(init, pod.ref(), all);
    Slots.addProbes(regular, pod.ref(), all);
  }

  /** Takes the pod's part of its node. */
  void charge(NodeLedger where) {
    if (ledger == null && !forgotten && !silenced && life != Life.FINISHED) {
      ledger = where;
      where.add(pod.spec().placement());
    }
  }

  /** Where the pod's part of its node is kept; null while it takes none. */
  @Nullable NodeLedger ledger() {
    return ledger;
  }

  /** Somebody waits for the pod's part of its node. */
  boolean awaited() {
    return !discharged.isEmpty();
  }

  /** Nothing has happened while it rested. */
  void woken(RestingPod from) {
    ledger = from.ledger();
    share = from.share();
    reported = report();
    dirty = false;
  }

  /** Takes the pod's part of its node back for a moment, until it is charged again. */
  void setAside() {
    if (ledger != null) {
      ledger.remove(pod.spec().placement());
      ledger = null;
    }
  }

  /** Gives the pod's part of its node back, and with it whatever was to become of that. */
  void discharge() {
    if (resizing != null) {
      resizing.close();
      resizing = null;
    }
    NodeLedger given = ledger;
    setAside();
    if (given != null) {
      given.freed();
    }
    List<Runnable> waiting = discharged;
    discharged = List.of();
    waiting.forEach(Runnable::run);
  }

  /** A resize that is over leaves nothing behind. */
  void settleResize() {
    if (resizing != null && resizing.over()) {
      resizing.close();
      resizing = null;
      totalled = false;
    }
  }

  /** Tells when the pod's part of its node is free. */
  void whenDischarged(Runnable told) {
    List<Runnable> all = new ArrayList<>(discharged);
    all.add(told);
    discharged = all;
  }

  /** Takes a new definition; containers keep their history by name. */
  void redefine(PodView replacement) {
    if (ledger != null && !replacement.spec().placement().equals(pod.spec().placement())) {
      ledger.remove(pod.spec().placement());
      ledger.add(replacement.spec().placement());
    }
    totalled &= replacement.spec() == pod.spec();
    pod = replacement;
    PodStatusView api = replacement.status();
    if (api.phase().terminal() && !status.phase().terminal()) {
      // somebody else ended the pod, for example the pod garbage collector: that is final
      status = StatusAssembly.inPhaseOf(status, api);
    }
    init = Slots.redefine(init, ContainerKind.INIT, replacement.spec().initContainers());
    regular = Slots.redefine(regular, ContainerKind.REGULAR, replacement.spec().containers());
    ephemeral =
        Slots.redefine(
            ephemeral, ContainerKind.EPHEMERAL, replacement.spec().ephemeralContainers());
    readsLogs = readLogs();
    dirty = true;
  }

  /** How many containers it has, of whatever kind. */
  int slots() {
    return init.length + regular.length + ephemeral.length;
  }

  /** All containers, of whatever kind. */
  Stream<ContainerSlot> containers() {
    return Stream.of(init, regular, ephemeral).flatMap(Arrays::stream);
  }

  /**
   * Takes what the runtime says of one container.
   *
   * @return whether anything changed
   */
  boolean observe(ContainerRecord record) {
    ContainerSlot slot = slot(record.name());
    boolean anew = slot != null && slot.waitsFor(RestartOfAll.REASON);
    boolean changed = slot != null && slot.observe(record);
    if (changed && anew) {
      startedAnew();
    }
    dirty |= changed;
    return changed;
  }

  /** The sandbox died with everything in it: init containers have to run again in the next. */
  void sandboxLost(Instant now) {
    sandbox = null;
    sandboxAttempt++;
    Slots.vanish(init, now);
    Slots.vanish(regular, now);
    Slots.vanish(ephemeral, now);
    for (ContainerSlot slot : init) {
      slot.rerun = slot.current != null;
    }
    dirty = true;
  }

  /** All containers have ended and start anew, from the first init container on. */
  void resetContainers() {
    restartingAll = false;
    Slots.reset(init);
    Slots.reset(regular);
    dirty = true;
  }

  /** One container started anew: others that wait for their turn do so as in any pod. */
  void startedAnew() {
    Slots.startedAnew(init);
    Slots.startedAnew(regular);
  }

  /**
   * Ends the pod, or shortens the grace of one that is ending.
   *
   * @param graceMillis raised to {@link #MIN_GRACE}
   */
  void end(long graceMillis, long now) {
    if (life == Life.FINISHED) {
      return;
    }
    deadline = Math.min(deadline, now + Math.max(MIN_GRACE, graceMillis));
    if (life == Life.SYNCING) {
      life = Life.ENDING;
    }
    dirty = true;
  }

  /** The pod is Failed for this reason; the first reason stays. */
  void fail(String reason, @Nullable String message) {
    if (failReason == null) {
      failReason = reason;
      failMessage = message;
      dirty = true;
    }
  }

  /**
   * The runtime will never run the pod. One of which nothing has run yet looks like one that its
   * node has refused.
   */
  void refuse(Rejection why) {
    if (failReason == null) {
      refused = !Slots.begun(init) && !Slots.begun(regular);
    }
    fail(why.reason(), refused ? why.statusMessage() : why.message());
  }

  /** The pod is Failed for the sake of others, whatever was to become of it; the newest counts. */
  void disrupt(Disruption why) {
    failReason = why.reason();
    failMessage = why.message();
    disruption = why.note();
    dirty = true;
  }

  /** It takes part in the life of its node: it was let in, and is neither over nor let go of. */
  boolean active() {
    boolean in = life == Life.SYNCING || life == Life.ENDING;
    return in && !forgotten && !silenced && !status.phase().terminal();
  }

  /** Whether it is the node's, and takes part in its life. */
  boolean activeOn(String node) {
    return node().equals(node) && active();
  }

  /** The pod may not run on its node: it is over before anything of it was started. */
  void reject(Rejection rejection) {
    status = StatusAssembly.rejected(this, rejection);
    life = Life.FINISHED;
    dirty = false;
  }

  /** All is released: what was not seen to end has ended with the sandbox. */
  void finish(Instant now) {
    Slots.close(init, now);
    Slots.close(regular, now);
    Slots.close(ephemeral, now);
    life = Life.FINISHED;
    sandbox = null;
    messageReads = null;
    removingSince = 0;
    dirty = true;
  }

  /** Forgets the containers of a finished pod once its last status was assembled. */
  void compact() {
    init = Slots.NONE;
    regular = Slots.NONE;
    ephemeral = Slots.NONE;
  }
}
