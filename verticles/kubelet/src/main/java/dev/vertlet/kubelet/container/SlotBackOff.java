package dev.vertlet.kubelet.container;

/**
 * The back-off of one container, in milliseconds: a first pause, doubled up to a cap. Made when a
 * container first ends or a pull fails; containers without failures have none.
 */
public final class SlotBackOff {
  /** First pause (kubelet's initialCrashLoopBackOff and imageBackOffPeriod). */
  public static final long FIRST_PAUSE = 10_000;

  /** Cap of image back-off (kubelet's MaxImageBackOff). */
  static final long MAX_IMAGE = 300_000;

  /** A step this much older than the next failure is reset: 2 × 300 s. */
  public static final long EXPIRY = 600_000;

  private long restartStep;

  /** When {@link #restartStep} was set: the start of the newest instance. */
  private long restartSetAt;

  /** Number of the restart whose back-off was reported; -1 for none. */
  private int reportedAttempt = -1;

  /** Number of the restart whose pause is over: a failed start does not wait for it again. */
  private int begunAttempt = -1;

  private long imageStep;
  private long imageSetAt;

  private boolean pullFailed;

  /** Pause after the newest end of the container, 0 before the first restart. */
  public long restartStep() {
    return restartStep;
  }

  /** Pause after the newest failed pull, 0 before the first. */
  long imageStep() {
    return imageStep;
  }

  /** Whether the newest failure was a pull, so that the container shows ImagePullBackOff. */
  public boolean pullFailed() {
    return pullFailed;
  }

  /** Time until which restart number {@code attempt} waits; 0 for no wait. */
  public long restartAfter(int attempt, long finishedAt) {
    if (begunAttempt == attempt || restartStep == 0 || finishedAt - restartSetAt > EXPIRY) {
      return 0;
    }
    return finishedAt + restartStep;
  }

  /** Resets the restart back-off of a changed container. */
  void forgetRestarts() {
    restartStep = 0;
    begunAttempt = -1;
  }

  /** Whether the back-off of restart number {@code attempt} has been reported. */
  public boolean reported(int attempt) {
    return reportedAttempt == attempt;
  }

  public void reporting(int attempt) {
    reportedAttempt = attempt;
  }

  /** When CrashLoopBackOff replaces the end of the last instance; see {@link #showsBackOffAt}. */
  public long showsRestartAt(long finishedAt) {
    return finishedAt + Math.min(FIRST_PAUSE, restartStep / 2);
  }

  /** Begins restart number {@code attempt}. */
  public void restarting(int attempt, long finishedAt, long now, BackOffRange range) {
    if (begunAttempt == attempt) {
      return;
    }
    begunAttempt = attempt;
    boolean fresh = restartStep == 0 || finishedAt - restartSetAt > EXPIRY;
    restartStep = range.after(fresh ? 0 : restartStep);
    restartSetAt = now;
  }

  /**
   * Rebuilds the back-off after a restart of the agent.
   *
   * @param restarts number of restarts in a row, at least 1
   * @param startedAt of the newest instance
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
   * Counts a failed pull.
   *
   * @return time of the next one
   */
  public long pullFailed(long now) {
    boolean fresh = imageStep == 0 || now - imageSetAt > EXPIRY;
    imageStep = fresh ? FIRST_PAUSE : Math.min(imageStep * 2, MAX_IMAGE);
    imageSetAt = now;
    pullFailed = true;
    return now + imageStep;
  }

  /**
   * When ImagePullBackOff replaces the error of the pull: half-way through the pause, at most 10 s,
   * which is when a kubelet's next sync would find it.
   */
  public long showsBackOffAt() {
    return imageSetAt + Math.min(FIRST_PAUSE, imageStep / 2);
  }
}
