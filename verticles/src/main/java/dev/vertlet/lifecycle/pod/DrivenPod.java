package dev.vertlet.lifecycle.pod;

import dev.vertlet.bus.PodReport;
import org.jspecify.annotations.Nullable;

/**
 * What the core remembers of driving one pod: when it was and will be driven, and what it has
 * reported. The base of {@link PodState} and not a part of it, so that thousands of pods have one
 * object less each. Changed only by the core that drives the pod. Times are epoch milliseconds.
 */
public abstract sealed class DrivenPod extends TimerWheel.Entry<PodState> permits PodState {
  private int touchedIn;
  private int listedIn;
  private long resyncAt;
  private long networkRetryAt;
  private boolean turning;
  private boolean again;
  private @Nullable PodReport reported;
  private final long seenAt;
  private boolean dirty = true;
  private boolean forgotten;
  private boolean silenced;

  /** The counts last passed to the meters, see {@link PodMetricDelta}. */
  private int share;

  DrivenPod(long seenAt) {
    this.seenAt = seenAt;
  }

  /** When the core first saw the pod. */
  public long seenAt() {
    return seenAt;
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

  /** When a quiet pod is driven again. */
  public long resyncAt() {
    return resyncAt;
  }

  public void resyncAt(long time) {
    resyncAt = time;
  }

  /** Time of the next check, while the node has no network for the pod. */
  public long networkRetryAt() {
    return networkRetryAt;
  }

  public void networkAwaited(long until) {
    networkRetryAt = until;
  }

  /** Asks for a turn; returns whether one is under way, which another one then follows. */
  public boolean busy() {
    again |= turning;
    return turning;
  }

  /** Whether a turn is under way. */
  public boolean turning() {
    return turning;
  }

  public void beginTurn() {
    turning = true;
  }

  public void endTurn() {
    turning = false;
  }

  /** Begins a decision, which uses all that is known now. */
  public void deciding() {
    again = false;
  }

  /** Whether another turn was asked for since the last decision began. */
  public boolean again() {
    return again;
  }

  /** The report last given to the context, null before the first. */
  public @Nullable PodReport reported() {
    return reported;
  }

  /** Notes that the report is given to the context. */
  public void reporting(PodReport report) {
    reported = report;
  }

  /** Whether the status has to be assembled again. */
  public boolean dirty() {
    return dirty;
  }

  /** Marks the status for a new assembly. */
  public final void changed() {
    dirty = true;
  }

  /** Notes that the status is up to date. */
  void clean() {
    dirty = false;
  }

  /** Whether the core has forgotten the pod: results that still arrive are dropped. */
  public boolean forgotten() {
    return forgotten;
  }

  public void forget() {
    forgotten = true;
  }

  /** Whether the API server no longer has the pod: reports have no receiver. */
  public boolean silenced() {
    return silenced;
  }

  void endReports() {
    silenced = true;
  }

  /** The counts last passed to the meters, see {@link PodMetricDelta}. */
  public int share() {
    return share;
  }

  void share(CoreMeters meters, int now) {
    PodMetricDelta.tell(meters, share, now);
    share = now;
  }

  /** Continues after a rest, during which nothing happened. */
  void woken(int counted, PodReport last) {
    share = counted;
    reported = last;
    dirty = false;
  }
}
