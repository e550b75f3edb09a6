package dev.vertlet.pods;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The mailboxes of one node's pods, and whether anything may be done about them. */
final class NodePods {
  private final Map<String, PodMailbox> mailboxes = new HashMap<>();

  private boolean served;
  private int term;
  private int listedIn = -1;

  /**
   * This agent holds the node's lease.
   *
   * @return whether the node is {@link #active} from now on and was not before
   */
  boolean acquired(int inTerm) {
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
  boolean synced(int inTerm) {
    boolean before = active();
    listedIn = Math.max(listedIn, inTerm);
    return !before && active();
  }

  /**
   * @return whether it was served before
   */
  boolean lost() {
    boolean before = served;
    served = false;
    return before;
  }

  /**
   * Nothing is done before the list is complete: a provider must hear of the pods that have an
   * address before it gives one to a new pod. A list of an earlier term of the lease does not
   * count: another agent may have written since.
   */
  boolean active() {
    return served && listedIn >= term;
  }

  void add(PodMailbox mailbox) {
    mailboxes.put(mailbox.ref().uid(), mailbox);
  }

  void remove(PodMailbox mailbox) {
    mailboxes.remove(mailbox.ref().uid());
  }

  /** Pods that have an address first, then those that were accepted, then the oldest. */
  private static final Comparator<PodMailbox> ADOPTION =
      Comparator.<PodMailbox, Boolean>comparing(m -> m.pod().status().podIPs().isEmpty())
          .thenComparing(m -> m.pod().status().startTime() == null)
          .thenComparing(
              m -> m.pod().creationTimestamp(), Comparator.nullsFirst(Comparator.naturalOrder()));

  /** The order in which a provider hears of the node's pods. */
  List<PodMailbox> adoptionOrder() {
    List<PodMailbox> ordered = new ArrayList<>(mailboxes.values());
    ordered.sort(ADOPTION);
    return ordered;
  }
}
