package dev.vertlet.lifecycle.pod;

/**
 * When one pod was and will be looked at, which is also its place in the wheel. Changed by the core
 * that drives the pod alone.
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

  /** The runtime's view of the pod changes during this relist. */
  public void touch(int relist) {
    touchedIn = relist;
  }

  public boolean touchedIn(int relist) {
    return touchedIn == relist;
  }

  /** This relist has found the pod. */
  public void listed(int relist) {
    listedIn = relist;
  }

  public boolean listedIn(int relist) {
    return listedIn == relist;
  }

  /** When a quiet pod is looked at again, epoch milliseconds. */
  public long resyncAt() {
    return resyncAt;
  }

  public void resyncAt(long time) {
    resyncAt = time;
  }

  /** Whether a turn is under way; another one follows it then. */
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

  /** A decision is made of all that is known now. */
  public void deciding() {
    again = false;
  }

  /** Another turn was asked for since that decision. */
  public boolean again() {
    return again;
  }
}
