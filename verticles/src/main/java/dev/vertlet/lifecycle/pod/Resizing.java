package dev.vertlet.lifecycle.pod;

import dev.vertlet.lifecycle.container.ContainerSlot;
import dev.vertlet.model.ConditionView;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.ResourcesView;
import dev.vertlet.model.StatusPatch;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A resize of one pod, from the change of its spec until its containers have what it asks for. Pods
 * of which nothing is being resized have none of these. Belongs to the core's context.
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

  /** What running containers have, of those that have not yet what they were granted. */
  private final Map<String, ResourcesView> actual = new HashMap<>(2);

  private @Nullable PodView desired;
  private @Nullable ConditionView pending;
  private @Nullable ConditionView inProgress;

  /**
   * How long the runtime may take for a change (kubelet's runtimeRequestTimeout), milliseconds. It
   * is a matter of writing a number, so whoever takes longer hangs.
   */
  public static final long PATIENCE = 120_000;

  /**
   * A running container that is being changed.
   *
   * @param id of the instance
   * @param lateAt when no answer is waited for any longer
   */
  public record Update(ContainerSlot slot, String id, long lateAt) {
    /** The instance has not ended meanwhile: another one starts with what it was granted. */
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
   * What an agent before this one had begun, by what the API server shows.
   *
   * @param desired as the API server holds the pod
   * @param allocated as its node had granted it; the same object where nothing is pending
   * @param notBefore more is not granted before this time
   * @return null for nothing
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

  /** The pod as it is to be; null when its node has granted that. */
  public @Nullable PodView desired() {
    return desired;
  }

  public @Nullable ConditionView pending() {
    return pending;
  }

  public @Nullable ConditionView inProgress() {
    return inProgress;
  }

  /** What the runtime was asked for and has not answered; null for nothing. */
  public @Nullable Update update() {
    return update;
  }

  /** Nothing is tried again before this time, after a failure. */
  public long retryAt() {
    return retryAt;
  }

  /** When what is in progress was granted, or last failed; 0 where an agent before this one did. */
  public long since() {
    return since;
  }

  /** More is not granted before: what the other pods of the node have may not be known yet. */
  public long notBefore() {
    return notBefore;
  }

  /** What is shown of it. */
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

  /** Nothing is wanted that was not granted, and nothing was granted that is not done. */
  boolean over() {
    return desired == null && inProgress == null;
  }

  /** Somebody asks for something else. */
  public void wants(PodView pod) {
    desired = pod;
  }

  /** What is asked for is what was granted already. */
  public void reverted() {
    desired = null;
    pending = null;
  }

  /**
   * It cannot be granted now.
   *
   * @return whether that is news
   */
  public boolean refused(String reason, String message, long generation, Instant now) {
    ConditionView former = pending;
    pending = condition(StatusPatch.RESIZE_PENDING, former, reason, message, generation, now);
    return former == null
        || !reason.equals(former.reason())
        || !Objects.equals(former.observedGeneration(), pending.observedGeneration());
  }

  /** It is granted; errors of a former one are over. */
  public void granted(long generation, Instant now) {
    desired = null;
    pending = null;
    inProgress = null;
    since = now.toEpochMilli();
    retryAt = 0;
    begun(generation, now);
  }

  /** Containers have something else than they were granted, whoever granted it. */
  public void begun(long generation, Instant now) {
    if (inProgress == null) {
      inProgress = condition(StatusPatch.RESIZE_IN_PROGRESS, null, null, null, generation, now);
    }
  }

  /** The runtime is asked to change a running container. */
  public void asks(Update asked) {
    update = asked;
  }

  /**
   * The runtime has answered, or is not waited for any longer.
   *
   * @return whether that is what it was asked for last
   */
  public boolean answered(Update asked) {
    boolean newest = update == asked;
    if (newest) {
      update = null;
    }
    return newest;
  }

  /**
   * What was granted could not be done.
   *
   * @param tryAgainAt epoch milliseconds
   * @return whether that is news
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

  /** What was in progress is so no longer, and nobody is told that it is completed. */
  public void superseded() {
    inProgress = null;
  }

  /** Containers have what they were granted. */
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

  /** What the running container has; null where that is what it was granted. */
  public @Nullable ResourcesView actual(String container) {
    return actual.get(container);
  }

  /** The container goes on with what it has, whatever it is granted now. */
  public void keeps(String container, ResourcesView has) {
    actual.putIfAbsent(container, has);
  }

  /** The container has something else now. */
  public void changed(String container, ResourcesView has) {
    actual.put(container, has);
  }

  /** The container starts with what it was granted. */
  public void starts(String container) {
    actual.remove(container);
  }

  /** Counts it as what it is now. */
  void count(CoreMeters told) {
    meters = told;
    String reason = pending == null ? null : pending.reason();
    count(
        DEFERRED.equals(reason) ? 1 : 0,
        INFEASIBLE.equals(reason) ? 1 : 0,
        inProgress == null ? 0 : 1);
  }

  /** It is over, or its pod is. */
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
