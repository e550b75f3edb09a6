package dev.vertlet.lifecycle.pod;

import dev.vertlet.admission.NodeLedger;
import dev.vertlet.admission.Rejection;
import dev.vertlet.bus.PodReport;
import dev.vertlet.lifecycle.container.ContainerSlot;
import dev.vertlet.lifecycle.container.RestartOfAll;
import dev.vertlet.lifecycle.container.SlotHooks;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.SandboxRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All the core remembers of one pod: one object, a slot for each container, and the statuses last
 * shown. All that happens to the pod is a method here, and nobody else writes a field. Belongs to
 * the core's context.
 *
 * <pre>
 *   RESTORING -> SYNCING -> ENDING -> FINISHED      one way; RESTORING may go to ENDING at once
 * </pre>
 */
public final class PodState implements Held {
  /** Where the pod is on its way. */
  public enum Life {
    /** The runtime is being asked what it has of the pod. */
    RESTORING,
    SYNCING,
    /** Containers are being stopped: deletion, deadline, or nothing is left to run. */
    ENDING,
    /** Nothing runs or will run, and the runtime holds nothing. */
    FINISHED
  }

  /** Least time a container is given to end (kubelet: never an immediate kill). */
  public static final long MIN_GRACE = 1_000;

  private PodView view;
  private final PodContainers containers;
  private Life life = Life.RESTORING;
  private final long seenAt;
  private final Instant startTime;

  private final SandboxState sandbox = new SandboxState();
  private boolean deleting;
  private boolean restartingAll;
  private Termination termination = Termination.NONE;
  private @Nullable PodFailure failure;

  private PodStatusView status;
  private @Nullable PodReport reported;
  private boolean dirty = true;
  private boolean totalled;

  private @Nullable Resizing resizing;
  private @Nullable MessageReads messageReads;
  private @Nullable NodeLedger ledger;

  /** Who waits for the pod's part of its node. */
  private List<Runnable> discharged = List.of();

  private boolean forgotten;
  private boolean silenced;

  /** What it was last counted as, see {@link PodMetricDelta}. */
  private int share;

  private final PodTurns turns = new PodTurns(this);

  /**
   * @param view as its node has granted it
   * @param apiStatus what the API server holds, foreign conditions left out
   */
  public PodState(PodView view, PodStatusView apiStatus, Instant now) {
    this.view = view;
    this.status = apiStatus;
    this.seenAt = now.toEpochMilli();
    Instant started = apiStatus.startTime();
    this.startTime = started == null ? now.truncatedTo(ChronoUnit.SECONDS) : started;
    this.containers = new PodContainers(view.spec(), now);
  }

  /** As its node has granted it; what it asks for beyond that, {@link #resizing} knows. */
  @Override
  public PodView view() {
    return view;
  }

  /** The pod as the API server holds it, granted or not. */
  public PodView desired() {
    PodView asked = resizing == null ? null : resizing.desired();
    return asked == null ? view : asked;
  }

  public String node() {
    return view.nodeName();
  }

  public PodContainers containers() {
    return containers;
  }

  public ContainerSlot[] init() {
    return containers.init();
  }

  public ContainerSlot[] regular() {
    return containers.regular();
  }

  public ContainerSlot[] ephemeral() {
    return containers.ephemeral();
  }

  public Life life() {
    return life;
  }

  public boolean ending() {
    return life == Life.ENDING;
  }

  public boolean finished() {
    return life == Life.FINISHED;
  }

  /** When the core first saw the pod, epoch milliseconds. */
  public long seenAt() {
    return seenAt;
  }

  /** When the core accepted the pod, whole seconds. */
  public Instant startTime() {
    return startTime;
  }

  /** Its sandbox, as far as that is. What becomes of it is told to the pod. */
  public SandboxState sandbox() {
    return sandbox;
  }

  /** The pod's address, empty while it has none. */
  public String ip() {
    SandboxRecord own = sandbox.record();
    if (own != null && !own.ips().isEmpty()) {
      return own.ips().get(0);
    }
    String host = status.hostIP();
    return view.spec().hostNetwork() && host != null ? host : "";
  }

  /** Its volumes cannot be mounted. */
  public void volumesFailed(MountAttempts attempts) {
    sandbox.volumesFailed(attempts);
    dirty = true;
  }

  /** The runtime has made its sandbox, or turns out to have it. */
  public void sandboxMade(SandboxRecord made) {
    sandbox.made(made);
    dirty = true;
  }

  /** The sandbox died with everything in it: init containers have to run again in the next. */
  public void sandboxLost(Instant now) {
    sandbox.lost();
    containers.sandboxLost(now);
    dirty = true;
  }

  /**
   * Takes what the runtime says of one container.
   *
   * @return whether anything changed
   */
  public boolean observe(ContainerRecord record) {
    ContainerSlot slot = containers.find(record.name());
    boolean anew = slot != null && slot.waitsFor(RestartOfAll.REASON);
    boolean changed = slot != null && slot.observe(record);
    if (changed && anew) {
      containers.startedAnew();
    }
    dirty |= changed;
    return changed;
  }

  /** The exit of one container has all of them start anew, and not all of them have ended. */
  public boolean restartingAll() {
    return restartingAll;
  }

  /** An exit has all containers start anew: they have to end first. */
  public void restartAll() {
    restartingAll = true;
    dirty = true;
  }

  /** All containers have ended and start anew, from the first init container on. */
  public void resetContainers() {
    restartingAll = false;
    containers.reset();
    dirty = true;
  }

  /** Null while no log is being read. */
  public @Nullable MessageReads messageReads() {
    return messageReads;
  }

  /** The log of an instance that has ended is being read. */
  public void readingLog(String instance, long now) {
    MessageReads reads = messageReads;
    if (reads == null) {
      reads = new MessageReads();
      messageReads = reads;
    }
    reads.begin(instance, now);
  }

  /** The log was read; says whether it was waited for. */
  public boolean logRead(String instance) {
    MessageReads reads = messageReads;
    boolean awaited = reads != null && reads.done(instance);
    if (reads != null && reads.over()) {
      messageReads = null;
    }
    return awaited;
  }

  /** No log is waited for any longer. */
  public void logsGivenUp() {
    messageReads = null;
    dirty = true;
  }

  /** Nothing was found of a pod that is over: what the API server shows is the last word. */
  public void foundFinished() {
    life = Life.FINISHED;
    dirty = false;
  }

  /** The runtime has said what it has of the pod. */
  public void restored() {
    life = Life.SYNCING;
  }

  /** Ends a pod that was to end before it was restored; says whether it was. */
  public boolean endsAsAsked() {
    if (termination.due()) {
      life = Life.ENDING;
    }
    return termination.due();
  }

  /** How long a container has to end that another one follows upon, milliseconds. */
  public long swapGrace() {
    return Math.max(SlotHooks.LEAST_AFTER, view.spec().terminationGracePeriodSeconds() * 1000);
  }

  /** Somebody asked for the pod's deletion; a pod may also end by itself. */
  public boolean deleting() {
    return deleting;
  }

  public Termination termination() {
    return termination;
  }

  /** Somebody asks for the pod's deletion; as {@link #end}. */
  public void delete(long graceMillis, long now) {
    deleting = true;
    end(graceMillis, now);
  }

  /**
   * Ends the pod, or shortens the grace of one that is ending.
   *
   * @param graceMillis raised to {@link #MIN_GRACE}
   */
  public void end(long graceMillis, long now) {
    if (life == Life.FINISHED) {
      return;
    }
    termination = termination.by(now + Math.max(MIN_GRACE, graceMillis));
    if (life == Life.SYNCING) {
      life = Life.ENDING;
    }
    dirty = true;
  }

  /** As {@link #end}, with the grace that the pod's definition gives. */
  public void end(long now) {
    end(view.spec().terminationGracePeriodSeconds() * 1000, now);
  }

  /** A stop or a removal failed. */
  void killFailed(long retryAt) {
    termination = termination.failed(retryAt);
    dirty = true;
  }

  /** The runtime is asked to remove what it has of the pod. */
  public void removing(long now) {
    termination = termination.removing(now);
  }

  /** The runtime has answered that. */
  public void removalAnswered() {
    termination = termination.removing(0);
  }

  /** Null while the pod is not Failed for a reason of its own. */
  public @Nullable PodFailure failure() {
    return failure;
  }

  /** The pod is Failed for this reason; the first reason stays. */
  public void fail(String reason, String message) {
    fail(PodFailure.of(reason, message));
  }

  /** The runtime will never run the pod. */
  void refuse(Rejection why) {
    fail(PodFailure.of(why, containers.begun()));
  }

  private void fail(PodFailure why) {
    if (failure == null) {
      failure = why;
      dirty = true;
    }
  }

  /** The pod is Failed for the sake of others, whatever was to become of it; the newest counts. */
  public void disrupt(Disruption why) {
    failure = PodFailure.of(why, failure);
    dirty = true;
  }

  /** The pod may not run on its node: it is over before anything of it was started. */
  public void reject(PodStatusView rejected) {
    status = rejected;
    life = Life.FINISHED;
    dirty = false;
  }

  /** All is released: what was not seen to end has ended with the sandbox. */
  public void finish(Instant now) {
    containers.each(slot -> slot.close(now));
    life = Life.FINISHED;
    sandbox.removed();
    messageReads = null;
    termination = termination.removing(0);
    dirty = true;
  }

  /** It takes part in the life of its node: it was let in, and is neither over nor let go of. */
  public boolean active() {
    boolean in = life == Life.SYNCING || life == Life.ENDING;
    return in && !forgotten && !silenced && !status.phase().terminal();
  }

  /** Whether it is the node's, and takes part in its life. */
  public boolean activeOn(String node) {
    return node().equals(node) && active();
  }

  /** The core no longer answers for the pod: results that still arrive are dropped. */
  public boolean forgotten() {
    return forgotten;
  }

  public void forget() {
    forgotten = true;
  }

  /** The API server holds the pod no longer: there is nothing to report to. */
  public boolean silenced() {
    return silenced;
  }

  /** The pod's object is gone: another pod may have been bound to its place already. */
  public void silence() {
    silenced = true;
    discharge();
  }

  /** Takes a new definition; containers keep their history by name. */
  public void redefine(PodView replacement) {
    if (ledger != null && !replacement.spec().placement().equals(view.spec().placement())) {
      ledger.remove(view.spec().placement());
      ledger.add(replacement.spec().placement());
    }
    totalled &= replacement.spec() == view.spec();
    view = replacement;
    PodStatusView api = replacement.status();
    if (api.phase().terminal() && !status.phase().terminal()) {
      // somebody else ended the pod, for example the pod garbage collector: that is final
      status = OwnedStatus.inPhaseOf(status, api);
    }
    containers.redefine(replacement.spec());
    dirty = true;
  }

  /** Takes a new definition of a pod that is finished. */
  public void redefineFinished(PodView replacement) {
    view = replacement;
  }

  /** Null while nothing of the pod is being resized. */
  public @Nullable Resizing resizing() {
    return resizing;
  }

  /**
   * Goes on with a resize that an agent before this one had begun.
   *
   * @param asked as the API server holds the pod
   * @param notBefore more is not granted before this time
   */
  public void restoreResize(PodView asked, long notBefore) {
    resizing = Resizing.restored(asked, view, notBefore);
  }

  /** The resize of the pod; one begins where none is under way. */
  public Resizing openResize() {
    Resizing open = resizing;
    if (open == null) {
      open = new Resizing();
      resizing = open;
    }
    return open;
  }

  /** A resize that is over leaves nothing behind. */
  public void settleResize() {
    if (resizing != null && resizing.over()) {
      resizing.close();
      resizing = null;
      totalled = false;
    }
  }

  /** Takes the pod's part of its node. */
  public void charge(NodeLedger where) {
    if (ledger == null && !forgotten && !silenced && life != Life.FINISHED) {
      ledger = where;
      where.add(view.spec().placement());
    }
  }

  /** Where the pod's part of its node is kept; null while it takes none. */
  public @Nullable NodeLedger ledger() {
    return ledger;
  }

  /** Takes the pod's part of its node back for a moment, until it is charged again. */
  public void setAside() {
    if (ledger != null) {
      ledger.remove(view.spec().placement());
      ledger = null;
    }
  }

  /** Gives the pod's part of its node back, and with it whatever was to become of that. */
  public void discharge() {
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

  /** Tells when the pod's part of its node is free. */
  public void whenDischarged(Runnable told) {
    List<Runnable> all = new ArrayList<>(discharged);
    all.add(told);
    discharged = all;
  }

  /** Somebody waits for the pod's part of its node. */
  public boolean awaited() {
    return !discharged.isEmpty();
  }

  @Override
  public void addImages(Set<String> ids) {
    containers.addImages(ids);
  }

  /** As last assembled; at first what the API server holds, foreign conditions left out. */
  public PodStatusView status() {
    return status;
  }

  /** The status has to be assembled again. */
  public boolean dirty() {
    return dirty;
  }

  /** Something that is shown of the pod is another now. */
  public void changed() {
    dirty = true;
  }

  /** The status tells of the resources of the pod as it is now. */
  public boolean totalled() {
    return totalled;
  }

  /** The status was assembled of all there is. */
  public void assembled(PodStatusView made) {
    status = made;
    totalled = true;
    dirty = false;
  }

  @Override
  public PodReport report() {
    return new PodReport(view.ref(), node(), status, life == Life.FINISHED);
  }

  /** As last given to the context, null before the first. */
  public @Nullable PodReport reported() {
    return reported;
  }

  /** The report is given to the context. */
  public void reporting(PodReport report) {
    reported = report;
  }

  /** Counts the pod, and a resize of it, as what they are now. */
  public void count(CoreMeters meters) {
    if (resizing != null) {
      resizing.count(meters);
    }
    int now = PodMetricDelta.of(this);
    PodMetricDelta.tell(meters, share, now);
    share = now;
  }

  /** What it was last counted as, see {@link PodMetricDelta}. */
  public int share() {
    return share;
  }

  /** Nothing has happened while it rested. */
  public void woken(RestingPod from) {
    ledger = from.ledger();
    share = from.share();
    reported = report();
    dirty = false;
  }

  /** When it was and will be looked at. */
  public PodTurns turns() {
    return turns;
  }
}
