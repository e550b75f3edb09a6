package dev.vertlet.lifecycle.pod;

import dev.vertlet.admission.NodeLedger;
import dev.vertlet.model.PlacementView;
import dev.vertlet.model.PodView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one pod has of its node's resources, and its resize. Belongs to the core's context. */
public final class PodResources {
  private PlacementView placement;
  private @Nullable NodeLedger ledger;
  private @Nullable Resizing resizing;

  /** Callbacks for the release of the resources. */
  private List<Runnable> released = List.of();

  PodResources(PlacementView placement) {
    this.placement = placement;
  }

  /** The ledger that the pod's resources are charged to; null while they are not. */
  public @Nullable NodeLedger ledger() {
    return ledger;
  }

  void restore(@Nullable NodeLedger charged) {
    ledger = charged;
  }

  void charge(NodeLedger where) {
    if (ledger == null) {
      ledger = where;
      where.add(placement);
    }
  }

  /** Takes the placement of a new definition. */
  void redefine(PlacementView replacement) {
    if (ledger != null && !replacement.equals(placement)) {
      ledger.remove(placement);
      ledger.add(replacement);
    }
    placement = replacement;
  }

  /** Uncharges the resources for a moment, until they are charged again. */
  public void setAside() {
    if (ledger != null) {
      ledger.remove(placement);
      ledger = null;
    }
  }

  /** Ends the resize, frees the resources and runs the callbacks. */
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
  @Nullable Resizing resizing() {
    return resizing;
  }

  /**
   * Continues a resize that an earlier agent began.
   *
   * @param asked the pod as the API server has it
   * @param granted the pod as its node has granted it
   * @param notBefore nothing more is granted before this time
   */
  public void restoreResize(PodView asked, PodView granted, long notBefore) {
    resizing = Resizing.restored(asked, granted, notBefore);
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

  /** Counts the resize in its current state. */
  void count(CoreMeters meters) {
    if (resizing != null) {
      resizing.count(meters);
    }
  }

  /** Drops a resize that is over; returns whether it was. */
  boolean settleResize() {
    boolean over = resizing != null && resizing.over();
    if (resizing != null && over) {
      resizing.close();
      resizing = null;
    }
    return over;
  }
}
