package dev.vertlet.kubelet.pod;

import dev.vertlet.admission.NodeLedger;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PodView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the core keeps of one pod besides its state: when it was and will be driven, what it has
 * reported, and what it has of its node's resources, with its resize. The base of {@link PodState}
 * and not a part of it, so that thousands of pods have an object less each. Belongs to the core's
 * context. Times are epoch milliseconds.
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

  private @Nullable NodeLedger ledger;
  private @Nullable Resizing resizing;

  /** Callbacks for the release of the resources. */
  private List<Runnable> released = List.of();

  DrivenPod(long seenAt) {
    this.seenAt = seenAt;
  }

  /** The pod with its granted resources. */
  public abstract PodView view();

  public abstract boolean finished();

  private PlacementView placement() {
    return view().spec().placement();
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

  /** Counts the pod and its resize in their current states. */
  public void count(CoreMeters meters) {
    if (resizing != null) {
      resizing.count(meters);
    }
    int now = PodMetricDelta.of(owner());
    PodMetricDelta.tell(meters, share, now);
    share = now;
  }

  /** Continues after a rest, during which nothing happened. */
  public void woken(RestingPod from) {
    ledger = from.ledger();
    share = from.share();
    reported = owner().report();
    dirty = false;
  }

  /** The ledger that the pod's resources are charged to; null while they are not. */
  public @Nullable NodeLedger ledger() {
    return ledger;
  }

  /** Charges the pod's resources to its node. */
  public void charge(NodeLedger where) {
    if (ledger == null && !forgotten && !silenced && !finished()) {
      ledger = where;
      where.add(placement());
    }
  }

  /** Charges the placement of a new definition instead of the current one. */
  void recharge(PlacementView replacement) {
    if (ledger != null && !replacement.equals(placement())) {
      ledger.remove(placement());
      ledger.add(replacement);
    }
  }

  /** Uncharges the resources for a moment, until they are charged again. */
  public void setAside() {
    if (ledger != null) {
      ledger.remove(placement());
      ledger = null;
    }
  }

  /** Ends the resize, frees the resources on the node and runs the callbacks. */
  public void release() {
    if (resizing != null) {
      resizing.close();
      resizing = null;
    }
    NodeLedger given = ledger;
    setAside();
    if (given != null) {
      given.freed();
    }
    List<Runnable> waiting = released;
    released = List.of();
    waiting.forEach(Runnable::run);
  }

  /** Adds a callback for the release of the resources. */
  public void whenReleased(Runnable callback) {
    List<Runnable> all = new ArrayList<>(released);
    all.add(callback);
    released = all;
  }

  /** Whether a callback waits for the release of the resources. */
  public boolean awaited() {
    return !released.isEmpty();
  }

  /** Null while no container of the pod is being resized. */
  public @Nullable Resizing resizing() {
    return resizing;
  }

  /**
   * Continues a resize that an earlier agent began.
   *
   * @param asked the pod as the API server has it
   * @param notBefore nothing more is granted before this time
   */
  public void restoreResize(PodView asked, long notBefore) {
    resizing = Resizing.restored(asked, view(), notBefore);
  }

  /** Returns the pod's resize; begins one if none is under way. */
  public Resizing openResize() {
    Resizing open = resizing;
    if (open == null) {
      open = new Resizing();
      resizing = open;
    }
    return open;
  }

  /** Drops a resize that is over; returns whether it was. */
  boolean dropResize() {
    boolean over = resizing != null && resizing.over();
    if (resizing != null && over) {
      resizing.close();
      resizing = null;
    }
    return over;
  }
}
