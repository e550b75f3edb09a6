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
 * State of one pod in the core: its definition, a slot for each container, and the last statuses.
 * Each thing that happens to the pod is a method here, and no other class writes a field. Belongs
 * to the core's context.
 *
 * <pre>
 *   RESTORING -> SYNCING -> ENDING -> FINISHED      one way; RESTORING may go to ENDING at once
 * </pre>
 */
public final class PodState implements Held {
  /** Phase of the pod in the core. */
  public enum Life {
    /** The runtime has not answered yet what it has of the pod. */
    RESTORING,
    SYNCING,
    /** Containers are being stopped: deletion, deadline, or nothing left to run. */
    ENDING,
    /** No container runs or will run, and the runtime has nothing of the pod. */
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

  /** Callbacks for the release of the pod's resources on its node. */
  private List<Runnable> discharged = List.of();

  private boolean forgotten;
  private boolean silenced;

  /** The counts last passed to the meters, see {@link PodMetricDelta}. */
  private int share;

  private final PodTurns turns = new PodTurns(this);

  /**
   * @param view with the resources that its node has granted
   * @param apiStatus of the API server, without foreign conditions
   */
  public PodState(PodView view, PodStatusView apiStatus, Instant now) {
    this.view = view;
    this.status = apiStatus;
    this.seenAt = now.toEpochMilli();
    Instant started = apiStatus.startTime();
    this.startTime = started == null ? now.truncatedTo(ChronoUnit.SECONDS) : started;
    this.containers = new PodContainers(view.spec(), now);
  }

  /** The pod with its granted resources; {@link #resizing} has what it asks for beyond them. */
  @Override
  public PodView view() {
    return view;
  }

  /** The pod as the API server has it, granted or not. */
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

  /** When the core admitted the pod, whole seconds. */
  public Instant startTime() {
    return startTime;
  }

  /** The pod's sandbox. Changes go through the pod's methods where it has them. */
  public SandboxState sandbox() {
    return sandbox;
  }

  /** The pod's IP, empty while it has none. */
  public String ip() {
    SandboxRecord own = sandbox.record();
    if (own != null && !own.ips().isEmpty()) {
      return own.ips().get(0);
    }
    String host = status.hostIP();
    return view.spec().hostNetwork() && host != null ? host : "";
  }

  /** Notes that the volumes cannot be mounted. */
  public void volumesFailed(MountAttempts attempts) {
    sandbox.volumesFailed(attempts);
    dirty = true;
  }

  /** Takes the sandbox that the runtime has made, or turns out to have. */
  public void sandboxMade(SandboxRecord made) {
    sandbox.made(made);
    dirty = true;
  }

  /** Ends all containers with their sandbox: init containers have to run again in the next one. */
  public void sandboxLost(Instant now) {
    sandbox.lost();
    containers.sandboxLost(now);
    dirty = true;
  }

  /**
   * Takes the runtime's record of one container.
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

  /** Whether a restart of all containers is under way, and not all of them have ended. */
  public boolean restartingAll() {
    return restartingAll;
  }

  /** Begins the restart of all containers after an exit: they have to end first. */
  public void restartAll() {
    restartingAll = true;
    dirty = true;
  }

  /** Resets all containers after their ends; they start again from the first init container on. */
  public void resetContainers() {
    restartingAll = false;
    containers.reset();
    dirty = true;
  }

  /** Null while no log is being read. */
  public @Nullable MessageReads messageReads() {
    return messageReads;
  }

  /** Notes that the log of an ended instance is being read. */
  public void readingLog(String instance, long now) {
    MessageReads reads = messageReads;
    if (reads == null) {
      reads = new MessageReads();
      messageReads = reads;
    }
    reads.begin(instance, now);
  }

  /** Ends the reading of a log; returns whether it was awaited. */
  public boolean logRead(String instance) {
    MessageReads reads = messageReads;
    boolean awaited = reads != null && reads.done(instance);
    if (reads != null && reads.over()) {
      messageReads = null;
    }
    return awaited;
  }

  /** Gives up the logs that are being read. */
  public void logsGivenUp() {
    messageReads = null;
    dirty = true;
  }

  /** Finishes a pod that is over and unknown to the runtime: the API server's status is final. */
  public void foundFinished() {
    life = Life.FINISHED;
    dirty = false;
  }

  /** Ends the restoring: the runtime has answered. */
  public void restored() {
    life = Life.SYNCING;
  }

  /** Ends a pod whose end was due before it was restored; returns whether it was. */
  public boolean endsAsAsked() {
    if (termination.due()) {
      life = Life.ENDING;
    }
    return termination.due();
  }

  /** Grace of a container that another instance replaces, milliseconds. */
  public long swapGrace() {
    return Math.max(SlotHooks.LEAST_AFTER, view.spec().terminationGracePeriodSeconds() * 1000);
  }

  /** Whether the pod is being deleted; a pod may also end by itself. */
  public boolean deleting() {
    return deleting;
  }

  public Termination termination() {
    return termination;
  }

  /** Ends the pod as {@link #end} does, for a deletion. */
  public void delete(long graceMillis, long now) {
    deleting = true;
    end(graceMillis, now);
  }

  /**
   * Ends the pod, or shortens the grace of an ending one.
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

  /** Ends the pod with the grace of its spec. */
  public void end(long now) {
    end(view.spec().terminationGracePeriodSeconds() * 1000, now);
  }

  /** Notes a failed stop or removal. */
  void killFailed(long retryAt) {
    termination = termination.failed(retryAt);
    dirty = true;
  }

  /** Notes that the runtime is asked to remove the pod. */
  public void removing(long now) {
    termination = termination.removing(now);
  }

  /** Notes the runtime's answer to a removal. */
  public void removalAnswered() {
    termination = termination.removing(0);
  }

  /** Null while the pod is not Failed for a reason of its own. */
  public @Nullable PodFailure failure() {
    return failure;
  }

  /** Fails the pod for this reason; the first reason stays. */
  public void fail(String reason, String message) {
    fail(PodFailure.of(reason, message));
  }

  /** Fails a pod that the runtime will never run. */
  void refuse(Rejection why) {
    fail(PodFailure.of(why, containers.begun()));
  }

  private void fail(PodFailure why) {
    if (failure == null) {
      failure = why;
      dirty = true;
    }
  }

  /** Fails the pod for the sake of others; the newest disruption counts. */
  public void disrupt(Disruption why) {
    failure = PodFailure.of(why, failure);
    dirty = true;
  }

  /** Finishes a pod that its node rejects, before any container was started. */
  public void reject(PodStatusView rejected) {
    status = rejected;
    life = Life.FINISHED;
    dirty = false;
  }

  /** Finishes the pod: containers whose end was not seen have ended with the sandbox. */
  public void finish(Instant now) {
    containers.each(slot -> slot.close(now));
    life = Life.FINISHED;
    sandbox.removed();
    messageReads = null;
    termination = termination.removing(0);
    dirty = true;
  }

  /** Whether the pod counts for its node: admitted, and neither over nor forgotten. */
  public boolean active() {
    boolean in = life == Life.SYNCING || life == Life.ENDING;
    return in && !forgotten && !silenced && !status.phase().terminal();
  }

  /** Whether the pod counts for this node. */
  public boolean activeOn(String node) {
    return node().equals(node) && active();
  }

  /** Whether the core has forgotten the pod: results that still arrive are dropped. */
  public boolean forgotten() {
    return forgotten;
  }

  public void forget() {
    forgotten = true;
  }

  /** Whether the API server no longer has the pod: reports have no receiver. */
  public boolean silenced() {
    return silenced;
  }

  /** Ends reports of a deleted pod, and frees its resources: another pod may be bound already. */
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
      // another component ended the pod, for example the pod garbage collector: that is final
      status = OwnedStatus.inPhaseOf(status, api);
    }
    containers.redefine(replacement.spec());
    dirty = true;
  }

  /** Takes a new definition of a finished pod. */
  public void redefineFinished(PodView replacement) {
    view = replacement;
  }

  /** Null while no container of the pod is being resized. */
  public @Nullable Resizing resizing() {
    return resizing;
  }

  /**
   * Continues a resize that an earlier agent began.
   *
   * @param asked the pod as the API server has it
   * @param notBefore nothing more is granted before this time
   */
  public void restoreResize(PodView asked, long notBefore) {
    resizing = Resizing.restored(asked, view, notBefore);
  }

  /** Returns the pod's resize; begins one if none is under way. */
  public Resizing openResize() {
    Resizing open = resizing;
    if (open == null) {
      open = new Resizing();
      resizing = open;
    }
    return open;
  }

  /** Drops a resize that is over. */
  public void settleResize() {
    if (resizing != null && resizing.over()) {
      resizing.close();
      resizing = null;
      totalled = false;
    }
  }

  /** Charges the pod's resources to its node. */
  public void charge(NodeLedger where) {
    if (ledger == null && !forgotten && !silenced && life != Life.FINISHED) {
      ledger = where;
      where.add(view.spec().placement());
    }
  }

  /** The ledger that the pod's resources are charged to; null while they are not. */
  public @Nullable NodeLedger ledger() {
    return ledger;
  }

  /** Uncharges the pod's resources for a moment, until they are charged again. */
  public void setAside() {
    if (ledger != null) {
      ledger.remove(view.spec().placement());
      ledger = null;
    }
  }

  /** Frees the pod's resources, ends its resize and runs the callbacks. */
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

  /** Adds a callback for the release of the pod's resources. */
  public void whenDischarged(Runnable told) {
    List<Runnable> all = new ArrayList<>(discharged);
    all.add(told);
    discharged = all;
  }

  /** Whether a callback waits for the release of the pod's resources. */
  public boolean awaited() {
    return !discharged.isEmpty();
  }

  @Override
  public void addImages(Set<String> ids) {
    containers.addImages(ids);
  }

  /** The status last assembled; at first the API server's, without foreign conditions. */
  public PodStatusView status() {
    return status;
  }

  /** Whether the status has to be assembled again. */
  public boolean dirty() {
    return dirty;
  }

  /** Marks the status for a new assembly. */
  public void changed() {
    dirty = true;
  }

  /** Whether the status shows the pod's current resources. */
  public boolean totalled() {
    return totalled;
  }

  /** Takes a newly assembled status. */
  public void assembled(PodStatusView made) {
    status = made;
    totalled = true;
    dirty = false;
  }

  @Override
  public PodReport report() {
    return new PodReport(view.ref(), node(), status, life == Life.FINISHED);
  }

  /** The report last given to the context, null before the first. */
  public @Nullable PodReport reported() {
    return reported;
  }

  /** Notes that the report is given to the context. */
  public void reporting(PodReport report) {
    reported = report;
  }

  /** Counts the pod and its resize in their current states. */
  public void count(CoreMeters meters) {
    if (resizing != null) {
      resizing.count(meters);
    }
    int now = PodMetricDelta.of(this);
    PodMetricDelta.tell(meters, share, now);
    share = now;
  }

  /** The counts last passed to the meters, see {@link PodMetricDelta}. */
  public int share() {
    return share;
  }

  /** Continues after a rest, during which nothing happened. */
  public void woken(RestingPod from) {
    ledger = from.ledger();
    share = from.share();
    reported = report();
    dirty = false;
  }

  /** When the pod was and will be driven. */
  public PodTurns turns() {
    return turns;
  }
}
