package dev.vertlet.apiserver.scheduler;

import dev.vertlet.apiserver.scheduler.Requirements.Shape;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The nodes that satisfy one shape, those with the fewest pods first. A node must be taken out
 * before its number of pods changes and put in again afterwards.
 */
final class Candidates {
  private final Shape shape;
  private final TreeSet<NodeEntry> fitting =
      new TreeSet<>(Comparator.comparingInt(NodeEntry::pods).thenComparing(NodeEntry::name));
  private final Map<String, Rejection> rejected = new HashMap<>();

  Candidates(Shape shape) {
    this.shape = shape;
  }

  void takeOut(NodeEntry node) {
    if (rejected.remove(node.name()) == null) {
      fitting.remove(node);
    }
  }

  void putIn(NodeEntry node) {
    if (node.exists()) {
      node.check(shape)
          .ifPresentOrElse(
              rejection -> rejected.put(node.name(), rejection), () -> fitting.add(node));
    }
  }

  /** The node with the fewest pods that has room. */
  Optional<NodeEntry> pick(Demand demand) {
    for (NodeEntry node : fitting) {
      if (node.hasRoomFor(demand)) {
        return Optional.of(node);
      }
    }
    return Optional.empty();
  }

  FitError explain(Demand demand) {
    FitError error = new FitError();
    rejected.values().forEach(rejection -> error.add(rejection, 1));
    fitting.forEach(node -> error.add(node.shortage(demand), 1));
    return error;
  }
}
