package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.trace.RecordedNode;
import dev.vertlet.trace.TraceEvent.NodeAdded;
import dev.vertlet.trace.TraceEvent.NodeChanged;
import dev.vertlet.trace.TraceEvent.NodeLeft;
import dev.vertlet.trace.record.sanitize.Sanitizer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Nodes that the trace knows. */
final class NodeBook {
  private final Timeline time;
  private final Sanitizer sanitizer;
  private final Map<String, RecordedNode> nodes = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();
  private final Set<String> unseen = new HashSet<>();

  NodeBook(Timeline time, Sanitizer sanitizer) {
    this.time = time;
    this.sanitizer = sanitizer;
  }

  int size() {
    return nodes.size();
  }

  void restore(RecordedNode node) {
    nodes.put(node.name(), node);
    unseen.add(node.name());
  }

  void restoreGone(String name) {
    nodes.remove(name);
    unseen.remove(name);
  }

  void seen(String uid, JsonNode object) {
    RecordedNode shape = sanitizer.node(object);
    String name = shape.name();
    names.put(uid, name);
    unseen.remove(name);
    RecordedNode before = nodes.put(name, shape);
    if (before == null) {
      time.emit(new NodeAdded(time.now(), shape));
    } else if (!before.equals(shape)) {
      time.emit(new NodeChanged(time.now(), shape));
    }
  }

  void gone(String uid) {
    String name = names.remove(uid);
    if (name != null) {
      left(name);
    }
  }

  /** Ends restored nodes that the cluster has no more. */
  void synced() {
    List.copyOf(unseen).forEach(this::left);
    unseen.clear();
  }

  private void left(String name) {
    nodes.remove(name);
    time.emit(new NodeLeft(time.now(), name));
  }
}
