package dev.vertlet.bus;

/**
 * A Node object created by another client is to be served from now on, or a new one of the same
 * name.
 *
 * @param selfManaged whether another client writes the node's status and Lease, too
 */
public record NodeAdopted(String node, boolean selfManaged) implements BusMessage {
  /** This agent writes the node's status and Lease. */
  public NodeAdopted(String node) {
    this(node, false);
  }
}
