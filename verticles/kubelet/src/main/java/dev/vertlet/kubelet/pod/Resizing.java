package dev.vertlet.kubelet.pod;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.model.status.StatusPatch;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A resize of one pod, from the change of its spec until its containers have the new resources.
 * Pods without a resize have no such object. Belongs to the core's context.
 *
 * <pre>
 *   desired (spec)  --granted by the node-->  allocated (PodState.view)  --done-->  actual
 *          PodResizePending                        PodResizeInProgress
 * </pre>
 */
public final class Resizing {
  public static final String DEFERRED = "Deferred";
  public static final String INFEASIBLE = "Infeasible";
  private static final String ERROR = "Error";

  /** Resources of running containers that do not have what they were granted yet. */
  private final Map<String, ResourcesView> actual = new HashMap<>(2);

  private @Nullable PodView desired;
  private @Nullable ConditionView pending;
  private @Nullable ConditionView inProgress;

  /**
   * Limit of the runtime for one update (kubelet's runtimeRequestTimeout), milliseconds. An update
   * only writes a number, so a longer one hangs.
   */
  public static final long PATIENCE = 120_000;

  /**
   * Update of a running container.
   *
   * @param id of the instance
   * @param lateAt when the wait for an answer ends
   */
  public record Update(ContainerSlot slot, String id, long lateAt) {
    /** Whether the instance still runs: a new one starts with what it was granted. */
    public boolean counts() {
      return slot.running() && slot.current() != null && slot.current().id().equals(id);
    }
  }

  private @Nullable Update update;
  private long retryAt;
  private long since;
  private long notBefore;

  private CoreMeters meters = CoreMeters.NONE;
  private int countedDeferred;
  private int countedInfeasible;
  private int countedInProgress;

  /**
   * Restores what an earlier agent began, from the API server's status.
   *
   * @param desired the pod as the API server has it
   * @param allocated the pod as its node had granted it; the same object if nothing is pending
   * @param notBefore nothing more is granted before this time
   * @return null for no resize
   */
  static @Nullable Resizing restored(PodView desired, PodView allocated, long notBefore) {
    PodStatusView shown = desired.status();
    ConditionView inProgress = shown.condition(StatusPatch.RESIZE_IN_PROGRESS);
    if (desired == allocated && inProgress == null) {
      return null;
    }
    Resizing resizing = new Resizing();
    resizing.inProgress = inProgress;
    resizing.notBefore = notBefore;
    if (desired != allocated) {
      resizing.desired = desired;
      resizing.pending = shown.condition(StatusPatch.RESIZE_PENDING);
    }
    return resizing;
  }

  /** The pod with the resources that it asks for; null when its node has granted them. */
  public @Nullable PodView desired() {
    return desired;
  }

  public @Nullable ConditionView pending() {
    return pending;
  }

  public @Nullable ConditionView inProgress() {
    return inProgress;
  }

  /** The update that the runtime has not answered; null for none. */
  public @Nullable Update update() {
    return update;
  }

  /** Time of the next attempt after a failure. */
  public long retryAt() {
    return retryAt;
  }

  /** When the resize was granted, or last failed; 0 if an earlier agent granted it. */
  public long since() {
    return since;
  }

  /** No grants before this time: resources of the node's other pods may not be known yet. */
  public long notBefore() {
    return notBefore;
  }

  /** The conditions to show. */
  public List<ConditionView> conditions() {
    List<ConditionView> shown = new ArrayList<>(2);
    if (pending != null) {
      shown.add(pending);
    }
    if (inProgress != null) {
      shown.add(inProgress);
    }
    return shown;
  }

  /** Whether all that was asked for is granted, and all that was granted is done. */
  boolean over() {
    return desired == null && inProgress == null;
  }

  /** Takes a new request. */
  public void wants(PodView pod) {
    desired = pod;
  }

  /** Drops a request that equals what was granted already. */
  public void reverted() {
    desired = null;
    pending = null;
  }

  /**
   * Notes that the request cannot be granted now.
   *
   * @return whether that has changed
   */
  public boolean refused(String reason, String message, long generation, Instant now) {
    ConditionView former = pending;
    pending = condition(StatusPatch.RESIZE_PENDING, former, reason, message, generation, now);
    return former == null
        || !reason.equals(former.reason())
        || !Objects.equals(former.observedGeneration(), pending.observedGeneration());
  }

  /** Grants the request; errors of an earlier resize are over. */
  public void granted(long generation, Instant now) {
    desired = null;
    pending = null;
    inProgress = null;
    since = now.toEpochMilli();
    retryAt = 0;
    begun(generation, now);
  }

  /** Begins a resize whose containers do not have what they were granted, by any agent. */
  public void begun(long generation, Instant now) {
    if (inProgress == null) {
      inProgress = condition(StatusPatch.RESIZE_IN_PROGRESS, null, null, null, generation, now);
    }
  }

  /** Notes the request for an update of a running container. */
  public void asks(Update asked) {
    update = asked;
  }

  /**
   * Ends an update, answered or given up.
   *
   * @return whether it was the newest one
   */
  public boolean answered(Update asked) {
    boolean newest = update == asked;
    if (newest) {
      update = null;
    }
    return newest;
  }

  /**
   * Notes that a granted resize failed.
   *
   * @param tryAgainAt epoch milliseconds
   * @return whether that has changed
   */
  public boolean failed(String message, long generation, Instant now, long tryAgainAt) {
    ConditionView former = inProgress;
    since = now.toEpochMilli();
    retryAt = tryAgainAt;
    Long observed = former == null ? null : former.observedGeneration();
    inProgress =
        condition(
            StatusPatch.RESIZE_IN_PROGRESS,
            former,
            ERROR,
            message,
            observed == null ? generation : observed,
            now);
    return former == null || !ERROR.equals(former.reason()) || !message.equals(former.message());
  }

  /** Drops a resize in progress without an event of its completion. */
  public void superseded() {
    inProgress = null;
  }

  /** Completes the resize: containers have what they were granted. */
  public void done() {
    inProgress = null;
    actual.clear();
  }

  private static ConditionView condition(
      String type,
      @Nullable ConditionView former,
      @Nullable String reason,
      @Nullable String message,
      long generation,
      Instant now) {
    Instant since =
        former != null && Objects.equals(former.reason(), reason)
            ? former.lastTransitionTime()
            : now.truncatedTo(ChronoUnit.SECONDS);
    return new ConditionView(
        type, "True", reason, message, since, generation > 0 ? generation : null);
  }

  /** Resources of the running container; null if they are what it was granted. */
  public @Nullable ResourcesView actual(String container) {
    return actual.get(container);
  }

  /** Notes the container's current resources, which it keeps whatever it is granted now. */
  public void keeps(String container, ResourcesView has) {
    actual.putIfAbsent(container, has);
  }

  /** Notes the container's new resources. */
  public void changed(String container, ResourcesView has) {
    actual.put(container, has);
  }

  /** Notes the start of a container, with what it was granted. */
  public void starts(String container) {
    actual.remove(container);
  }

  /** Counts the resize in its current state. */
  void count(CoreMeters to) {
    meters = to;
    String reason = pending == null ? null : pending.reason();
    count(
        DEFERRED.equals(reason) ? 1 : 0,
        INFEASIBLE.equals(reason) ? 1 : 0,
        inProgress == null ? 0 : 1);
  }

  /** Counts the end of the resize or of its pod. */
  void close() {
    count(0, 0, 0);
  }

  private void count(int deferred, int infeasible, int progressing) {
    if (deferred != countedDeferred
        || infeasible != countedInfeasible
        || progressing != countedInProgress) {
      meters.resizing(
          deferred - countedDeferred,
          infeasible - countedInfeasible,
          progressing - countedInProgress);
      countedDeferred = deferred;
      countedInfeasible = infeasible;
      countedInProgress = progressing;
    }
  }
}
