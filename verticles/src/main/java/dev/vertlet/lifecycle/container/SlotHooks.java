package dev.vertlet.lifecycle.container;

import dev.vertlet.model.ContainerCare;
import dev.vertlet.model.ContainerView;
import dev.vertlet.model.HandlerView;
import dev.vertlet.provider.HookRequest.Moment;
import org.jspecify.annotations.Nullable;

/**
 * How far the hooks of one container are, for its newest instance. Pure; containers without hooks
 * have none of these. Times are epoch milliseconds.
 */
public final class SlotHooks {
  /** The least time a container has to end after its preStop hook (kubelet: 2 s). */
  public static final long LEAST_AFTER = 2_000;

  private final ContainerCare care;
  private boolean postStartDue;
  private boolean postStartFailed;
  private boolean preStopDone;

  /** The hook under way, null for none. */
  private @Nullable Moment running;

  /** When the hook under way is over or no longer waited for. */
  private long endsAt;

  private int call;

  private SlotHooks(ContainerCare care) {
    this.care = care;
  }

  /** Null for a container without hooks. */
  static @Nullable SlotHooks of(ContainerView view) {
    ContainerCare care = view.care();
    boolean any = care != null && (care.postStart() != null || care.preStop() != null);
    return care == null || !any ? null : new SlotHooks(care);
  }

  public @Nullable HandlerView handler(Moment moment) {
    return moment == Moment.POST_START ? care.postStart() : care.preStop();
  }

  /**
   * Another instance has come up.
   *
   * @param own whether this agent started it; what ran before has had its hook
   */
  void instance(boolean own) {
    ended();
    postStartDue = own && care.postStart() != null;
    preStopDone = false;
  }

  /** The instance has ended, and its hooks with it. */
  void ended() {
    postStartDue = false;
    postStartFailed = false;
    running = null;
    call++;
  }

  public boolean postStartDue() {
    return postStartDue;
  }

  /** The instance has to end because its postStart hook failed. */
  public void startFailed() {
    postStartFailed = true;
  }

  public boolean postStartFailed() {
    return postStartFailed;
  }

  /** The instance runs and does not count as started yet. */
  boolean starting() {
    return postStartDue || running == Moment.POST_START;
  }

  /** Whether the container may not be stopped before its hook has run. */
  public boolean preStopDue() {
    return !preStopDone && care.preStop() != null;
  }

  public @Nullable Moment running() {
    return running;
  }

  public long endsAt() {
    return endsAt;
  }

  /**
   * A hook begins.
   *
   * @param until when it is over, or no longer waited for
   * @return number of the call, for {@link #awaits}
   */
  public int begin(Moment moment, long until) {
    postStartDue = false;
    preStopDone |= moment == Moment.PRE_STOP;
    running = moment;
    endsAt = until;
    return ++call;
  }

  /** The hook is not waited for beyond this time. */
  public void shorten(long until) {
    endsAt = Math.min(endsAt, until);
  }

  /** Whether the answer of this call still counts. */
  public boolean awaits(int number) {
    return running != null && number == call;
  }

  public void done() {
    running = null;
  }
}
