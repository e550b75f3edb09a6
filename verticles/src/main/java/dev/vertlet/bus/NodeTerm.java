package dev.vertlet.bus;

/**
 * What {@link LeaseAcquired}, {@link LeaseLost} and {@link PodsSynced} amount to for one node:
 * whether its pods may be acted upon.
 *
 * <p>Nothing is done before the list of its pods is complete. A list of an earlier term of the
 * lease does not count: another agent may have written since.
 */
public final class NodeTerm {
  private boolean served;
  private int term;
  private int listedIn = -1;

  /**
   * This agent holds the node's lease.
   *
   * @return whether the node is {@link #active} from now on and was not before
   */
  public boolean acquired(int inTerm) {
    boolean before = active();
    served = true;
    term = inTerm;
    return !before && active();
  }

  /**
   * The whole list of the node's pods has been delivered.
   *
   * @return whether the node is {@link #active} from now on and was not before
   */
  public boolean synced(int inTerm) {
    boolean before = active();
    listedIn = Math.max(listedIn, inTerm);
    return !before && active();
  }

  /**
   * @return whether it was served before
   */
  public boolean lost() {
    boolean before = served;
    served = false;
    return before;
  }

  /** The lease is held, and the list of the pods is complete. */
  public boolean active() {
    return served && listedIn >= term;
  }
}
