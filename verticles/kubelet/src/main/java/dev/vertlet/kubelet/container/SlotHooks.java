package dev.vertlet.kubelet.container;

import dev.vertlet.model.container.ContainerCare;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.provider.container.HookRequest.Moment;
import org.jspecify.annotations.Nullable;

/**
 * State of the hooks of one container, for its newest instance. Pure; null in containers without
 * hooks. Times are epoch milliseconds.
 */
public final class SlotHooks {
  /** Least grace of a container after its preStop hook (kubelet: 2 s). */
  public static final long LEAST_AFTER = 2_000;

  private final ContainerCare care;
  private boolean postStartDue;
  private boolean postStartFailed;
  private boolean preStopDone;

  /** The running hook, null for none. */
  private @Nullable Moment running;

  /** When the running hook is over or given up. */
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
   * Begins another instance.
   *
   * @param own whether this agent started it; an older instance has had its hook
   */
  void instance(boolean own) {
    ended();
    postStartDue = own && care.postStart() != null;
    preStopDone = false;
  }

  /** Ends the hooks with their instance. */
  void ended() {
    postStartDue = false;
    postStartFailed = false;
    running = null;
    call++;
  }

  public boolean postStartDue() {
    return postStartDue;
  }

  /** Notes that the postStart hook failed, so that the instance has to end. */
  public void startFailed() {
    postStartFailed = true;
  }

  public boolean postStartFailed() {
    return postStartFailed;
  }

  /** Whether the instance runs and does not count as started yet. */
  boolean starting() {
    return postStartDue || running == Moment.POST_START;
  }

  /** Whether the preStop hook has to run before the container is stopped. */
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
   * Begins a hook.
   *
   * @param until when the hook is over or given up
   * @return number of the call, for {@link #awaits}
   */
  public int begin(Moment moment, long until) {
    postStartDue = false;
    preStopDone |= moment == Moment.PRE_STOP;
    running = moment;
    endsAt = until;
    return ++call;
  }

  /** Gives the hook up no later than this time. */
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
