package dev.vertlet.replicas;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who is there, by what is known of the members' Leases. Pure but for its own fields. Expiry is
 * judged by the wall clock, as that of nodes' Leases is.
 */
final class Members {
  private static final String NOBODY = "";

  private final String self;
  private final String digest;

  /** Whose each node is among those who were told; nobody's while there are none. */
  private final Map<String, String> owners = new HashMap<>();

  /** Nodes that came or went since they were divided. */
  private boolean changed;

  /** By name of their Lease. */
  private final Map<String, MemberView> leases = new HashMap<>();

  private boolean joined;
  private Set<String> told = Set.of();

  /**
   * @param nodes names of those that this one divides
   * @param selectors of those that it adopts, which are divided as they come
   */
  Members(String self, Collection<String> nodes, Collection<String> selectors) {
    this.self = self;
    nodes.forEach(node -> owners.put(node, NOBODY));
    List<String> divided = new ArrayList<>(nodes);
    // no node has such a name
    selectors.forEach(selector -> divided.add("{" + selector + "}"));
    this.digest = Rendezvous.digest(divided);
  }

  /** Of the nodes' names, and of what selects others. */
  String digest() {
    return digest;
  }

  /** A node is there to be divided from now on. */
  void add(String node) {
    owners.put(node, owner(node));
    changed = true;
  }

  void remove(String node) {
    owners.remove(node);
    changed = true;
  }

  private String owner(String node) {
    return told.isEmpty() ? NOBODY : Rendezvous.owner(node, told);
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
   * Whose each node is, when that has changed since it was asked for last; nobody's is missing.
   * While this one is no member it is nobody's: the others may not have noticed yet, and whoever
   * gave its nodes away would give them to those who do not want them.
   */
  Optional<Map<String, String>> divided(Instant now) {
    Set<String> living = joined ? living(now) : Set.of();
    boolean others = !living.equals(told);
    if (!others && !changed) {
      return Optional.empty();
    }
    changed = false;
    if (others) {
      told = living;
      owners.replaceAll((node, before) -> owner(node));
    }
    return Optional.of(told.isEmpty() ? Map.of() : Map.copyOf(owners));
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
