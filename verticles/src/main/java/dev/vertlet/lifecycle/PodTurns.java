package dev.vertlet.lifecycle;

/** When one pod was and will be looked at. Changed by the core that drives the pod alone. */
final class PodTurns {
  private final TimerWheel.Entry<PodState> timer;
  private int touchedIn;
  private int listedIn;
  private long resyncAt;
  private boolean under;
  private boolean again;

  PodTurns(PodState pod) {
    this.timer = new TimerWheel.Entry<>(pod);
  }

  TimerWheel.Entry<PodState> timer() {
    return timer;
  }

  /** The runtime's view of the pod changes during this relist. */
  void touch(int relist) {
    touchedIn = relist;
  }

  boolean touchedIn(int relist) {
    return touchedIn == relist;
  }

  /** This relist has found the pod. */
  void listed(int relist) {
    listedIn = relist;
  }

  boolean listedIn(int relist) {
    return listedIn == relist;
  }

  /** When a quiet pod is looked at again, epoch milliseconds. */
  long resyncAt() {
    return resyncAt;
  }

  void resyncAt(long time) {
    resyncAt = time;
  }

  /** Whether a turn is under way; another one follows it then. */
  boolean busy() {
    again |= under;
    return under;
  }

  boolean under() {
    return under;
  }

  void begin() {
    under = true;
  }

  void end() {
    under = false;
  }

  /** A decision is made of all that is known now. */
  void deciding() {
    again = false;
  }

  /** Another turn was asked for since that decision. */
  boolean again() {
    return again;
  }
}
