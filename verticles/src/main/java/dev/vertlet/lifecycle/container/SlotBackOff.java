package dev.vertlet.lifecycle.container;

/**
 * The pauses of one container, in milliseconds: a first one, doubled up to a cap. Made when a
 * container first ends or an image cannot be had; containers without trouble have none.
 */
public final class SlotBackOff {
  /** First pause (kubelet's initialCrashLoopBackOff and imageBackOffPeriod). */
  public static final long FIRST = 10_000;

  /** Cap of image back-off (kubelet's MaxImageBackOff). */
  static final long MAX_IMAGE = 300_000;

  /** A step this much older than the next failure is forgotten: 2 × 300 s. */
  public static final long EXPIRY = 600_000;

  private long restartStep;

  /** When {@link #restartStep} was set: the start of the newest instance. */
  private long restartSetAt;

  /** The restart whose pause was told of. */
  private int toldFor = -1;

  /** The restart whose pause is over, so that a failed start does not wait for it again. */
  private int passedFor = -1;

  private long imageStep;
  private long imageSetAt;

  private boolean pullFailed;

  /** The pause after the newest end of the container, 0 before the first restart. */
  public long restartStep() {
    return restartStep;
  }

  /** The pause after the newest failed pull, 0 before the first. */
  long imageStep() {
    return imageStep;
  }

  /** Whether the newest failure was a pull, so that the wait is shown as ImagePullBackOff. */
  public boolean pullFailed() {
    return pullFailed;
  }

  /** Until when restart number {@code attempt} has to wait; 0 when it need not. */
  long restartAfter(int attempt, long finishedAt) {
    if (passedFor == attempt || restartStep == 0 || finishedAt - restartSetAt > EXPIRY) {
      return 0;
    }
    return finishedAt + restartStep;
  }

  /** The container is another one now: its pauses are its own. */
  void forgetRestarts() {
    restartStep = 0;
    passedFor = -1;
  }

  /** Whether it has yet to be told that restart number {@code attempt} waits. */
  public boolean news(int attempt) {
    return toldFor != attempt;
  }

  public void told(int attempt) {
    toldFor = attempt;
  }

  /** When the end of the last instance gives way to CrashLoopBackOff, as that of a pull does. */
  public long showsRestartAt(long finishedAt) {
    return finishedAt + Math.min(FIRST, restartStep / 2);
  }

  /** Restart number {@code attempt} begins. */
  public void restarting(int attempt, long finishedAt, long now, BackOffRange range) {
    if (passedFor == attempt) {
      return;
    }
    passedFor = attempt;
    boolean fresh = restartStep == 0 || finishedAt - restartSetAt > EXPIRY;
    restartStep = range.after(fresh ? 0 : restartStep);
    restartSetAt = now;
  }

  /**
   * Rebuilds the memory after a restart of the agent.
   *
   * @param restarts how often the container was restarted in a row, at least 1
   * @param startedAt of its newest instance
   */
  public void restored(int restarts, long startedAt, BackOffRange range) {
    long step = range.first();
    for (int i = 1; i < restarts && step < range.max(); i++) {
      step = range.after(step);
    }
    restartStep = step;
    restartSetAt = startedAt;
  }

  /**
   * A pull failed.
   *
   * @return when to try again
   */
  public long pullFailed(long now) {
    boolean fresh = imageStep == 0 || now - imageSetAt > EXPIRY;
    imageStep = fresh ? FIRST : Math.min(imageStep * 2, MAX_IMAGE);
    imageSetAt = now;
    pullFailed = true;
    return now + imageStep;
  }

  /**
   * When the error of the pull gives way to ImagePullBackOff: half-way through the pause, at most
   * 10 s, which is when a kubelet's next sync would find it.
   */
  public long showsBackOffAt() {
    return imageSetAt + Math.min(FIRST, imageStep / 2);
  }
}
