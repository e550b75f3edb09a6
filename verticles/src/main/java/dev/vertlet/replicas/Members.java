package dev.vertlet.replicas;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who is there, by what is known of the members' Leases. Pure but for its own fields. Expiry is
 * judged by the wall clock, as that of nodes' Leases is.
 */
final class Members {
  private final String self;
  private final Set<String> nodes;
  private final String digest;

  /** By name of their Lease. */
  private final Map<String, MemberView> leases = new HashMap<>();

  private boolean joined;
  private Set<String> told = Set.of();

  /**
   * @param nodes names of those that this one divides
   */
  Members(String self, Collection<String> nodes) {
    this.self = self;
    this.nodes = Set.copyOf(nodes);
    this.digest = Rendezvous.digest(nodes);
  }

  /** Of the nodes' names. */
  String digest() {
    return digest;
  }

  void observed(MemberView lease) {
    leases.put(lease.name(), lease);
  }

  void gone(String lease) {
    leases.remove(lease);
  }

  /** Whether this member's own Lease is held. */
  void joined(boolean held) {
    joined = held;
  }

  /**
   * This one while it holds its own Lease, and the others whose Leases have not run out and who
   * divide the same nodes.
   */
  Set<String> living(Instant now) {
    Set<String> living = others(now, true);
    if (joined) {
      living.add(self);
    }
    return living;
  }

  /**
   * Whose each node is, when that has changed since it was asked for last. While this one is no
   * member it is nobody's: the others may not have noticed yet, and whoever gave its nodes away
   * would give them to those who do not want them.
   */
  Optional<Map<String, String>> divided(Instant now) {
    Set<String> living = joined ? living(now) : Set.of();
    if (living.equals(told)) {
      return Optional.empty();
    }
    told = living;
    Map<String, String> owners = new HashMap<>();
    if (!living.isEmpty()) {
      nodes.forEach(node -> owners.put(node, Rendezvous.owner(node, living)));
    }
    return Optional.of(owners);
  }

  /** Who was there when {@link #divided} last had an answer. */
  Set<String> told() {
    return told;
  }

  /**
   * The others whose Leases have not run out and who divide other nodes: while a configuration is
   * rolled out, or by mistake.
   */
  Set<String> strangers(Instant now) {
    return others(now, false);
  }

  private Set<String> others(Instant now, boolean same) {
    Set<String> others = new TreeSet<>();
    for (MemberView lease : leases.values()) {
      boolean other = !lease.identity().isEmpty() && !lease.identity().equals(self);
      if (other && lease.expiry().isAfter(now) && lease.nodes().equals(digest) == same) {
        others.add(lease.identity());
      }
    }
    return others;
  }
}
