package dev.vertlet.lease;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.NODE_ADOPTED;
import static dev.vertlet.bus.Addresses.NODE_PINGED;
import static dev.vertlet.bus.Addresses.NODE_RELEASED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeAdopted;
import dev.vertlet.bus.NodePinged;
import dev.vertlet.bus.NodeReleased;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Serves nodes without leases, in place of {@link LeaseVerticle}, or beside it for self-managed
 * nodes: a node is served from an answered ping until a failed one. Nothing prevents another agent
 * from serving it, too.
 */
public final class LeaselessVerticle extends VerticleBase {
  private final Bus bus;
  private final boolean leased;
  private final Map<String, Presence> nodes = new HashMap<>();

  /** Whether a node is served, and in which term. */
  private static final class Presence {
    private boolean served;
    private int term = -1;
  }

  /**
   * Creates the verticle.
   *
   * @param nodes names of the nodes to serve, besides adopted ones
   */
  public LeaselessVerticle(Collection<String> nodes, Bus bus) {
    this(nodes, bus, false);
  }

  /** Creates the verticle of self-managed nodes, while all others have leases. */
  public static LeaselessVerticle selfManaged(Bus bus) {
    return new LeaselessVerticle(List.of(), bus, true);
  }

  private LeaselessVerticle(Collection<String> nodes, Bus bus, boolean leased) {
    this.bus = bus;
    this.leased = leased;
    nodes.forEach(node -> this.nodes.put(node, new Presence()));
  }

  @Override
  public Future<?> start() {
    return Future.all(
        bus.consume(NODE_PINGED, this::onPing).completion(),
        bus.consume(NODE_ADOPTED, this::onAdopted).completion(),
        bus.consume(NODE_RELEASED, this::onReleased).completion());
  }

  /** Ends the service of all nodes. */
  @Override
  public Future<?> stop() {
    nodes.forEach((node, presence) -> lost(node, presence, "released"));
    return Future.succeededFuture();
  }

  private void onAdopted(NodeAdopted adopted) {
    if (adopted.selfManaged() || !leased) {
      nodes.put(adopted.node(), new Presence());
    }
  }

  private void onReleased(NodeReleased released) {
    Presence presence = nodes.remove(released.node());
    if (presence != null) {
      lost(released.node(), presence, "released");
    }
  }

  private void onPing(NodePinged ping) {
    Presence presence = nodes.get(ping.node());
    if (presence == null) {
      return;
    }
    if (!ping.ok()) {
      lost(ping.node(), presence, "ping failed: " + ping.message());
    } else if (!presence.served) {
      presence.served = true;
      presence.term++;
      bus.publish(LEASE_ACQUIRED, new LeaseAcquired(ping.node(), presence.term));
    }
  }

  private void lost(String node, Presence presence, String reason) {
    if (presence.served) {
      presence.served = false;
      bus.publish(LEASE_LOST, new LeaseLost(node, reason));
    }
  }
}
