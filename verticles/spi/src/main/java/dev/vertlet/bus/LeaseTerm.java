package dev.vertlet.bus;

/**
 * Term of one node's Lease: combines {@link LeaseAcquired}, {@link LeaseLost} and {@link
 * PodsSynced} into whether the agent may act on the node's pods.
 *
 * <p>The node is inactive until the list of its pods is complete. A list of an earlier term of the
 * lease does not count: another agent may have written since.
 */
public final class LeaseTerm {
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
   * The complete list of the node's pods has been delivered.
   *
   * @return whether the node is {@link #active} from now on and was not before
   */
  public boolean synced(int inTerm) {
    boolean before = active();
    listedIn = Math.max(listedIn, inTerm);
    return !before && active();
  }

  /**
   * This agent no longer holds the node's lease.
   *
   * @return whether it held the lease before
   */
  public boolean lost() {
    boolean before = served;
    served = false;
    return before;
  }

  /** Whether the lease is held and the list of the pods is complete. */
  public boolean active() {
    return served && listedIn >= term;
  }
}
