package dev.vertlet.kubelet.pod;

/** Mount attempts of a pod whose volumes cannot be mounted; times are epoch milliseconds. */
public final class MountAttempts {
  /** Pauses of a kubelet's exponential back-off for one volume, milliseconds. */
  private static final long FIRST_PAUSE = 500;

  private static final long LONGEST_PAUSE = 122_000;

  /** How long one sync of a kubelet waits for all volumes: podAttachAndMountTimeout. */
  private static final long PATIENCE = 123_000;

  private long pause;
  private long nextAt;
  private long givenUpAt;

  public MountAttempts(long now) {
    givenUpAt = now + PATIENCE;
  }

  /** Time of the next attempt. */
  long due() {
    return Math.min(nextAt, givenUpAt);
  }

  /**
   * Counts a failed attempt.
   *
   * @return whether the pause before this attempt was over, and a longer one has begun
   */
  public boolean failed(long now) {
    boolean due = now >= nextAt;
    if (due) {
      pause = pause == 0 ? FIRST_PAUSE : Math.min(2 * pause, LONGEST_PAUSE);
      nextAt = now + pause;
    }
    return due;
  }

  /** Whether the sync that waited for the volumes is over. */
  public boolean givenUp(long now) {
    return now >= givenUpAt;
  }

  /**
   * Begins the next sync.
   *
   * @param at after the pause for errors
   */
  public void beginAnew(long at) {
    givenUpAt = at + PATIENCE;
  }

  /** Delays the next attempt. */
  public void notBefore(long at) {
    nextAt = at;
  }
}
