package dev.vertlet.pods;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The mailboxes of one node's pods, and whether anything may be done about them. */
final class NodePods {
  private final Map<String, PodMailbox> mailboxes = new HashMap<>();

  /** This agent holds the node's lease. */
  boolean served;

  /** The whole list of the node's pods has been delivered. */
  boolean synced;

  /**
   * Nothing is done before the list is complete: a provider must hear of the pods that have an
   * address before it gives one to a new pod.
   */
  boolean active() {
    return served && synced;
  }

  void add(PodMailbox mailbox) {
    mailboxes.put(mailbox.ref().uid(), mailbox);
  }

  void remove(PodMailbox mailbox) {
    mailboxes.remove(mailbox.ref().uid());
  }

  /** Pods that have an address first. */
  List<PodMailbox> adoptionOrder() {
    List<PodMailbox> ordered = new ArrayList<>(mailboxes.values());
    ordered.sort(Comparator.comparing(m -> m.pod().status().podIPs().isEmpty()));
    return ordered;
  }
}
