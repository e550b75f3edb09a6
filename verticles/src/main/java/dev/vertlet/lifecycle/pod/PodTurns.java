package dev.vertlet.lifecycle.pod;

/**
 * When one pod was and will be driven, which is also its entry in the timer wheel. Changed only by
 * the core that drives the pod.
 */
public final class PodTurns extends TimerWheel.Entry<PodState> {
  private int touchedIn;
  private int listedIn;
  private long resyncAt;
  private boolean under;
  private boolean again;

  PodTurns(PodState pod) {
    super(pod);
  }

  /** Notes a change in the runtime's view of the pod during this relist. */
  public void touch(int relist) {
    touchedIn = relist;
  }

  public boolean touchedIn(int relist) {
    return touchedIn == relist;
  }

  /** Notes that this relist has found the pod. */
  public void listed(int relist) {
    listedIn = relist;
  }

  public boolean listedIn(int relist) {
    return listedIn == relist;
  }

  /** When a quiet pod is driven again, epoch milliseconds. */
  public long resyncAt() {
    return resyncAt;
  }

  public void resyncAt(long time) {
    resyncAt = time;
  }

  /** Whether a turn is under way; if so, another one follows it. */
  public boolean busy() {
    again |= under;
    return under;
  }

  public boolean under() {
    return under;
  }

  public void begin() {
    under = true;
  }

  public void end() {
    under = false;
  }

  /** Begins a decision, which uses all that is known now. */
  public void deciding() {
    again = false;
  }

  /** Whether another turn was asked for since the last decision began. */
  public boolean again() {
    return again;
  }
}
