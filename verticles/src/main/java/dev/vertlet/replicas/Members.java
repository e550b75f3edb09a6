package dev.vertlet.replicas;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who is there, by what is known of the members' Leases. Pure but for its own fields. Expiry is
 * judged by the wall clock, as that of nodes' Leases is.
 */
final class Members {
  private final String self;
  private final String nodes;

  /** By name of their Lease. */
  private final Map<String, MemberView> leases = new HashMap<>();

  private boolean joined;

  /**
   * @param nodes digest of the names of those that this one divides
   */
  Members(String self, String nodes) {
    this.self = self;
    this.nodes = nodes;
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
      if (other && lease.expiry().isAfter(now) && lease.nodes().equals(nodes) == same) {
        others.add(lease.identity());
      }
    }
    return others;
  }
}
