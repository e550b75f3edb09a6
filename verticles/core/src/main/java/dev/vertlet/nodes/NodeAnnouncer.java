package dev.vertlet.nodes;

import static dev.vertlet.bus.Addresses.NODE_REGISTERED;
import static dev.vertlet.bus.Addresses.NODE_STATUS_CHANGED;
import static dev.vertlet.bus.Addresses.OBJECT_EVENT;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.NodeRegistered;
import dev.vertlet.bus.NodeStatusChanged;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.Recovery;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Publishes and logs the changes of one node, and its events; keeps what was published last.
 * Confined to the context of its verticle.
 */
final class NodeAnnouncer {
  private static final Logger LOG = LoggerFactory.getLogger(NodeVerticle.class);

  private final Bus bus;
  private boolean ready;
  private String message = "";

  /** Whether this agent has tried to create the object; otherwise it existed before. */
  private boolean created;

  private String registeredUid = "";
  private String complaint = "";

  NodeAnnouncer(Bus bus) {
    this.bus = bus;
  }

  /** The agent tries to create the object. */
  void creates() {
    created = true;
  }

  /** Publishes changes of a node that is known to exist. */
  void changes(NodeState state) {
    String name = state.node();
    String uid = state.uid();
    boolean nowReady = state.ready().equals("True");
    // as in a kubelet, only a change causes an event: a restart of the agent does not
    boolean readyBefore = registeredUid.isEmpty() && !created && nowReady;
    if (!uid.isEmpty() && !uid.equals(registeredUid)) {
      boolean first = registeredUid.isEmpty();
      registeredUid = uid;
      complaint = "";
      LOG.atLevel(state.adopted() ? Level.DEBUG : Level.INFO)
          .addKeyValue("node", name)
          .log(first ? "node registered" : "node was deleted by another client; registered again");
      bus.publish(NODE_REGISTERED, new NodeRegistered(name, uid));
      event(state, ObjectEvent.NORMAL, "Starting", "Starting kubelet.");
    }
    boolean turned = nowReady != ready;
    String nowMessage = state.notReady();
    if (!uid.isEmpty() && (turned || !nowMessage.equals(message))) {
      ready = nowReady;
      message = nowMessage;
      bus.publish(NODE_STATUS_CHANGED, new NodeStatusChanged(name, ready, message));
      if (turned && !readyBefore) {
        String reason = ready ? "NodeReady" : "NodeNotReady";
        event(state, ObjectEvent.NORMAL, reason, "Node " + name + " status is now: " + reason);
      }
    }
  }

  /** The node's boot id has changed. */
  void rebooted(NodeState state) {
    event(
        state,
        ObjectEvent.WARNING,
        "Rebooted",
        "Node " + state.node() + " has been rebooted, boot id: " + state.bootId());
  }

  /**
   * Logs a rejection once, not at each retry; the client logs failures that are not specific to
   * this node.
   */
  void failed(NodeState state, KubeException failure) {
    String text = String.valueOf(failure.getMessage());
    boolean refused = failure.recovery() == Recovery.GIVE_UP;
    if (refused && !text.equals(complaint)) {
      complaint = text;
      LOG.atError()
          .addKeyValue("node", state.node())
          .addKeyValue("error", text)
          .log("the API server refuses to take the node");
    }
  }

  private void event(NodeState state, String type, String reason, String message) {
    if (!state.selfManaged()) {
      String node = state.node();
      bus.send(
          OBJECT_EVENT, new ObjectEvent("Node", "", node, node, "", type, reason, message, node));
    }
  }
}
