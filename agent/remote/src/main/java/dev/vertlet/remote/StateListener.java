package dev.vertlet.remote;

import dev.vertlet.remote.client.Fields;
import dev.vertlet.remote.client.Subscription;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands what the subscription brings to the states of a level, and to the nodes. */
abstract class StateListener implements Subscription.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(StateListener.class);

  private final String kind;
  private final HeldStates states;
  private final RemoteNodes nodes;
  private boolean reading;

  /**
   * @param kind type of the lines that carry a state, and its key in them
   */
  StateListener(String kind, HeldStates states, RemoteNodes nodes) {
    this.kind = kind;
    this.states = states;
    this.nodes = nodes;
  }

  /** Takes a state; one that cannot be read harms its own pod alone. */
  abstract void observed(JsonObject state);

  /** Takes a line of a type that only some levels know. */
  void other(String type, JsonObject line) {
    LOG.debug("a line of an unknown type is left out");
  }

  @Override
  public final long listing() {
    return states.listing();
  }

  @Override
  public final void listed(long number, List<JsonObject> entries) {
    List<String> uids = new ArrayList<>(entries.size());
    for (JsonObject entry : entries) {
      uids.add(entry.getString("uid"));
      observed(entry);
    }
    states.listed(number, uids);
    if (reading) {
      var unused = nodes.read();
    }
    reading = true; // the first time it is read after the start
  }

  @Override
  public final void line(String type, JsonObject line) {
    if (type.equals(kind)) {
      observed(Fields.object(line, kind));
      return;
    }
    switch (type) {
      case "gone" -> states.gone(Fields.text(line, "uid"), revision(line));
      case "node" -> nodes.observed(Fields.object(line, "node"));
      default -> other(type, line);
    }
  }

  /** Without a revision, nothing that is known of the pod is newer. */
  private static long revision(JsonObject line) {
    return line.getValue("revision") == null ? Long.MAX_VALUE : Fields.number(line, "revision");
  }

  @Override
  public final void reachable(String problem) {
    nodes.reachable(problem);
  }
}
