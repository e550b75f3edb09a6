package dev.vertlet.replicas;

import dev.vertlet.kube.LeaseExpiry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * The living members, judged by their Leases. Pure except for its own fields. The wall clock
 * decides about expiry, as for nodes' Leases; see {@link LeaseExpiry} for a clock that is behind.
 */
final class Members {
  private static final String NOBODY = "";

  private final String self;
  private final String digest;

  /** Owner of each node among the members last published; empty while there are none. */
  private final Map<String, String> owners = new HashMap<>();

  /** Whether nodes were added or removed since the last division. */
  private boolean changed;

  /** By name of the Lease. */
  private final Map<String, Observed> leases = new HashMap<>();

  private final LongSupplier nanos;

  /** A Lease as last seen, and its expiry. */
  private record Observed(MemberView lease, LeaseExpiry expiry) {}

  private boolean joined;
  private Set<String> dividing = Set.of();

  /**
   * Creates the members of a group.
   *
   * @param nodes names of the nodes that this member divides
   * @param selectors of nodes that are adopted, and divided as they appear
   * @param nanos monotonic
   */
  Members(String self, Collection<String> nodes, Collection<String> selectors, LongSupplier nanos) {
    this.self = self;
    this.nanos = nanos;
    nodes.forEach(node -> owners.put(node, NOBODY));
    List<String> divided = new ArrayList<>(nodes);
    // no node has such a name
    selectors.forEach(selector -> divided.add("{" + selector + "}"));
    this.digest = Rendezvous.digest(divided);
  }

  /** Digest of the nodes' names and of the selectors. */
  String digest() {
    return digest;
  }

  /** Adds a node to be divided. */
  void add(String node) {
    owners.put(node, owner(node));
    changed = true;
  }

  void remove(String node) {
    owners.remove(node);
    changed = true;
  }

  private String owner(String node) {
    return dividing.isEmpty() ? NOBODY : Rendezvous.owner(node, dividing);
  }

  void observed(MemberView lease) {
    Observed before = leases.get(lease.name());
    LeaseExpiry expiry = before == null ? new LeaseExpiry() : before.expiry();
    expiry.observed(lease.renewed(), nanos.getAsLong());
    leases.put(lease.name(), new Observed(lease, expiry));
  }

  void gone(String lease) {
    leases.remove(lease);
  }

  /** Sets whether this member's own Lease is held. */
  void joined(boolean held) {
    joined = held;
  }

  /**
   * Returns this member while it holds its own Lease, and the others whose Leases have not expired
   * and that divide the same nodes.
   */
  Set<String> living(Instant now) {
    Set<String> living = others(now, true);
    if (joined) {
      living.add(self);
    }
    return living;
  }

  /**
   * Returns the owner of each node if the division has changed since the last call; nodes without
   * an owner are missing. Without its own Lease this member assigns no node: the others may not
   * have noticed yet, and would not accept nodes that it hands over.
   */
  Optional<Map<String, String>> divided(Instant now) {
    Set<String> living = joined ? living(now) : Set.of();
    boolean others = !living.equals(dividing);
    if (!others && !changed) {
      return Optional.empty();
    }
    changed = false;
    if (others) {
      dividing = living;
      owners.replaceAll((node, before) -> owner(node));
    }
    return Optional.of(dividing.isEmpty() ? Map.of() : Map.copyOf(owners));
  }

  /** Members of the division that {@link #divided} last returned. */
  Set<String> dividing() {
    return dividing;
  }

  /**
   * Other members whose Leases have not expired but that divide other nodes: during the rollout of
   * a configuration, or by mistake.
   */
  Set<String> strangers(Instant now) {
    return others(now, false);
  }

  private Set<String> others(Instant now, boolean same) {
    Set<String> others = new TreeSet<>();
    for (Observed observed : leases.values()) {
      MemberView lease = observed.lease();
      boolean other = !lease.identity().isEmpty() && !lease.identity().equals(self);
      Duration left = observed.expiry().left(lease.duration(), now, nanos.getAsLong());
      if (other && !left.isZero() && lease.nodes().equals(digest) == same) {
        others.add(lease.identity());
      }
    }
    return others;
  }
}
