package dev.vertlet.kubelet.pod;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.RestartOfAll;
import dev.vertlet.kubelet.container.SlotHooks;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.SandboxRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
public final class PodState extends DrivenPod implements Held {
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
  private final Instant startTime;

  private Sandbox sandbox = Sandbox.NONE;
  private LogReads logReads = LogReads.NONE;
  private boolean deleting;
  private boolean restartingAll;
  private Termination termination = Termination.NONE;
  private @Nullable PodFailure failure;

  private PodStatusView status;
  private boolean totalled;

  /**
   * @param view with the resources that its node has granted
   * @param apiStatus of the API server, without foreign conditions
   */
  public PodState(PodView view, PodStatusView apiStatus, Instant now) {
    super(now.toEpochMilli());
    this.view = view;
    this.status = apiStatus;
    Instant started = apiStatus.startTime();
    this.startTime = started == null ? now.truncatedTo(ChronoUnit.SECONDS) : started;
    this.containers = new PodContainers(view.spec(), now);
  }

  @Override
  PodState owner() {
    return this;
  }

  /** The pod with its granted resources; {@link #resizing} has what it asks for beyond them. */
  @Override
  public PodView view() {
    return view;
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

  @Override
  public boolean finished() {
    return life == Life.FINISHED;
  }

  /** When the core admitted the pod, whole seconds. */
  public Instant startTime() {
    return startTime;
  }

  public Sandbox sandbox() {
    return sandbox;
  }

  /** Moves the sandbox to its next state. */
  public void sandbox(Sandbox next) {
    if (next.exists() || sandbox.exists() || next.mounting() != null) {
      changed();
    }
    sandbox = next;
  }

  /** Retries volumes at once that may be there now; returns whether they were awaited. */
  public boolean hurryVolumes() {
    boolean awaited = sandbox.awaitsVolumes();
    if (awaited) {
      sandbox = sandbox.volumesAwaited(0);
    }
    return awaited;
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

  /** Ends all containers with their sandbox: init containers have to run again in the next one. */
  public void sandboxLost(Instant now) {
    sandbox = sandbox.lost();
    containers.sandboxLost(now);
    changed();
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
    if (changed) {
      changed();
    }
    if (changed && anew) {
      containers.startedAnew();
    }
    return changed;
  }

  /** Whether a restart of all containers is under way, and not all of them have ended. */
  public boolean restartingAll() {
    return restartingAll;
  }

  /** Begins the restart of all containers after an exit: they have to end first. */
  public void restartAll() {
    restartingAll = true;
    changed();
  }

  /** Resets all containers after their ends; they start again from the first init container on. */
  public void resetContainers() {
    restartingAll = false;
    containers.reset();
    changed();
  }

  /** The logs that are being read. */
  public LogReads logReads() {
    return logReads;
  }

  public void logReads(LogReads next) {
    logReads = next;
  }

  /**
   * Finishes a pod that the runtime does not have and will not have.
   *
   * @param last final status of the pod
   */
  public void finish(PodStatusView last) {
    status = last;
    life = Life.FINISHED;
    clean();
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
    changed();
  }

  /** Ends the pod with the grace of its spec. */
  public void end(long now) {
    end(view.spec().terminationGracePeriodSeconds() * 1000, now);
  }

  /** Notes a failed stop or removal. */
  void killFailed(long retryAt) {
    termination = termination.failed(retryAt);
    changed();
  }

  /**
   * @param since when the runtime was asked to remove the pod; 0 after its answer
   */
  public void removing(long since) {
    termination = termination.removing(since);
  }

  /** Null while the pod is not Failed for a reason of its own. */
  public @Nullable PodFailure failure() {
    return failure;
  }

  /** Fails the pod; the first failure stays. */
  public void fail(PodFailure why) {
    if (failure == null) {
      failure = why;
      changed();
    }
  }

  /** Fails the pod for the sake of others; the newest disruption counts. */
  public void disrupt(Disruption why) {
    failure = PodFailure.of(why, failure);
    changed();
  }

  /** Finishes the pod: containers whose end was not seen have ended with the sandbox. */
  public void finish(Instant now) {
    containers.each(slot -> slot.close(now));
    life = Life.FINISHED;
    sandbox = sandbox.removed();
    logReads = LogReads.NONE;
    termination = termination.removing(0);
    changed();
  }

  /** Whether the pod counts for its node: admitted, and neither over nor forgotten. */
  public boolean active() {
    boolean in = life == Life.SYNCING || life == Life.ENDING;
    return in && !forgotten() && !silenced() && !status.phase().terminal();
  }

  /** Ends reports of a deleted pod, and frees its resources: another pod may be bound already. */
  public void silence() {
    endReports();
    release();
  }

  /** Takes a new definition; containers keep their history by name. */
  public void redefine(PodView replacement) {
    recharge(replacement.spec().placement());
    totalled &= replacement.spec() == view.spec();
    view = replacement;
    PodStatusView api = replacement.status();
    if (api.phase().terminal() && !status.phase().terminal()) {
      // another component ended the pod, for example the pod garbage collector: that is final
      status = OwnedStatus.inPhaseOf(status, api);
    }
    containers.redefine(replacement.spec());
    changed();
  }

  /** Takes a new definition of a finished pod. */
  public void redefineFinished(PodView replacement) {
    view = replacement;
  }

  /** Drops a resize that is over. */
  public void settleResize() {
    totalled &= !dropResize();
  }

  @Override
  public void addImages(Set<String> ids) {
    containers.addImages(ids);
  }

  /** The status last assembled; at first the API server's, without foreign conditions. */
  public PodStatusView status() {
    return status;
  }

  /** Whether the status shows the pod's current resources. */
  public boolean totalled() {
    return totalled;
  }

  /** Takes a newly assembled status. */
  public void assembled(PodStatusView made) {
    status = made;
    totalled = true;
    clean();
  }

  @Override
  public PodReport report() {
    return new PodReport(view.ref(), node(), status, life == Life.FINISHED);
  }
}
