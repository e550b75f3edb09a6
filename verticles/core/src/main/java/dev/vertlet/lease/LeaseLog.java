package dev.vertlet.lease;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs what happens to the agent's leases; remembers what need not be logged again. */
final class LeaseLog {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseVerticle.class);

  /** By node, the foreign holder that was logged last; it may renew for hours. */
  private final Map<String, String> holders = new HashMap<>();

  /** Nodes whose last renewal the node controller ignores. */
  private final Set<String> backdated = new HashSet<>();

  /** Another client holds the lease. */
  void foreign(NodeLease lease, LeaseState.Foreign foreign) {
    if (!foreign.holder().equals(holders.put(lease.node(), foreign.holder()))) {
      LOG.atLevel(lease.shared() ? Level.DEBUG : Level.WARN)
          .addKeyValue("node", lease.node())
          .addKeyValue("holder", foreign.holder())
          .addKeyValue("until", foreign.expiry())
          .log("another agent holds the node's lease; waiting for its expiry");
    }
  }

  void acquired(NodeLease lease) {
    holders.remove(lease.node());
    boolean usual = lease.term() == 0 || lease.shared();
    LOG.atLevel(usual ? Level.DEBUG : Level.INFO)
        .addKeyValue("node", lease.node())
        .log("lease acquired; the node is served");
  }

  /** A write of the lease was accepted. */
  void written(NodeLease lease) {
    if (LOG.isTraceEnabled()) { // possibly thousands per second
      LOG.atTrace().addKeyValue("node", lease.node()).log("lease renewed");
    }
    if (!lease.renewTimes().backdated()) {
      counts(lease.node());
    } else if (backdated.add(lease.node()) && backdated.size() == 1) { // once for all nodes
      LOG.atWarn()
          .addKeyValue("node", lease.node())
          .addKeyValue("until", lease.renewTimes().latest())
          .log(
              "the machine's clock is behind the lease's last renewTime;"
                  + " a heartbeat of the node's status accompanies each renewal");
    }
  }

  private void counts(String node) {
    if (backdated.remove(node) && backdated.isEmpty()) {
      LOG.info("no lease's last renewTime is ahead of the machine's clock any more");
    }
  }

  /** The node is another agent's. */
  void left(NodeLease lease) {
    counts(lease.node());
    LOG.atDebug()
        .addKeyValue("node", lease.node())
        .addKeyValue("reason", lease.lastProblem())
        .log("the node is another agent's");
  }

  void lost(NodeLease lease) {
    counts(lease.node());
    LOG.atWarn()
        .addKeyValue("node", lease.node())
        .addKeyValue("error", lease.lastProblem())
        .log("lease lost; the node is served no longer");
  }

  /** The agent has no such node any more. */
  void forget(String node) {
    holders.remove(node);
    counts(node);
  }
}
