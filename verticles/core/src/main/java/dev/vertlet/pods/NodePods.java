package dev.vertlet.pods;

import dev.vertlet.bus.LeaseTerm;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The mailboxes of one node's pods, and whether the agent may act on them. */
final class NodePods {
  /** In no order; each mailbox knows its index, so that the list needs no table beside it. */
  private final List<PodMailbox> mailboxes = new ArrayList<>();

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
    mailbox.place(mailboxes.size());
    mailboxes.add(mailbox);
  }

  void remove(PodMailbox mailbox) {
    int place = mailbox.place();
    if (place < mailboxes.size() && mailboxes.get(place) == mailbox) {
      PodMailbox last = mailboxes.remove(mailboxes.size() - 1);
      if (last != mailbox) {
        last.place(place);
        mailboxes.set(place, last);
      }
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
    return List.copyOf(mailboxes);
  }

  /** Order in which the provider gets the node's pods. */
  List<PodMailbox> adoptionOrder() {
    List<PodMailbox> ordered = new ArrayList<>(mailboxes);
    ordered.sort(ADOPTION);
    return ordered;
  }
}
