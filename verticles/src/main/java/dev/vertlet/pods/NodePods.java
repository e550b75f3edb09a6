package dev.vertlet.pods;

import dev.vertlet.bus.LeaseTerm;
import dev.vertlet.model.KeyedTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The mailboxes of one node's pods, and whether the agent may act on them. */
final class NodePods {
  private final KeyedTable<String, PodMailbox> mailboxes =
      new KeyedTable<>(mailbox -> mailbox.ref().uid());

  private final LeaseTerm term = new LeaseTerm();
  private boolean sourcesSeen;

  /**
   * Creates an empty set.
   *
   * @param sourced whether some of the pods come from manifests: until all sources have reported,
   *     an unknown pod may be one of them
   */
  NodePods(boolean sourced) {
    this.sourcesSeen = !sourced;
  }

  LeaseTerm term() {
    return term;
  }

  boolean active() {
    return term.active();
  }

  /** Whether a pod that no source holds may be ended. */
  boolean complete() {
    return active() && sourcesSeen;
  }

  void sourcesSeen() {
    sourcesSeen = true;
  }

  void add(PodMailbox mailbox) {
    mailboxes.put(mailbox);
  }

  void remove(PodMailbox mailbox) {
    if (mailboxes.get(mailbox.ref().uid()) == mailbox) {
      mailboxes.remove(mailbox.ref().uid());
    }
  }

  /** Pods that have an address first, then those that were accepted, then the oldest. */
  private static final Comparator<PodMailbox> ADOPTION =
      Comparator.<PodMailbox, Boolean>comparing(m -> m.pod().status().podIPs().isEmpty())
          .thenComparing(m -> m.pod().status().startTime() == null)
          .thenComparing(
              m -> m.pod().creationTimestamp(), Comparator.nullsFirst(Comparator.naturalOrder()));

  /** All mailboxes, in no order. */
  List<PodMailbox> all() {
    return List.copyOf(mailboxes.values());
  }

  /** Order in which the provider gets the node's pods. */
  List<PodMailbox> adoptionOrder() {
    List<PodMailbox> ordered = new ArrayList<>(mailboxes.values());
    ordered.sort(ADOPTION);
    return ordered;
  }
}
