package dev.vertlet.adopt;

import dev.vertlet.model.node.NodeView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which nodes are adopted, from the watches of several selectors. Pure except for its own
 * fields.
 *
 * <p>No node is adopted before the lists of all selectors are complete: a node belongs to the first
 * selector that matches it, whichever list arrives first.
 */
final class Adoptions {
  /** Effects, to be performed in order. */
  sealed interface Effect {
    /**
     * Adopt a node.
     *
     * @param by index of the selector
     */
    record Adopt(int by, NodeView node) implements Effect {}

    /** The object of an adopted node has changed. */
    record Change(int by, NodeView node) implements Effect {}

    /** The node's object is gone, or no selector matches it any more. */
    record Release(String node) implements Effect {}
  }

  private final Set<String> own;
  private final BitSet unread = new BitSet();
  private final Map<String, Candidate> candidates = new HashMap<>();

  private static final class Candidate {
    private final BitSet selected = new BitSet();
    private NodeView node;

    Candidate(NodeView node) {
      this.node = node;
    }

    int by() {
      return selected.nextSetBit(0);
    }
  }

  /**
   * Creates an empty set.
   *
   * @param selectors number of selectors, at least 1
   * @param own names of nodes that the agent creates itself and does not adopt
   */
  Adoptions(int selectors, Set<String> own) {
    this.own = Set.copyOf(own);
    unread.set(0, selectors);
  }

  /** Number of selected nodes. */
  int size() {
    return candidates.size();
  }

  /** Whether all lists are complete. */
  boolean listed() {
    return unread.isEmpty();
  }

  /** The complete list of a selector was delivered. */
  List<Effect> synced(int selector) {
    boolean before = listed();
    unread.clear(selector);
    if (before || !listed()) {
      return List.of();
    }
    return candidates.values().stream()
        .sorted(Comparator.comparing(candidate -> candidate.node.name()))
        .<Effect>map(candidate -> new Effect.Adopt(candidate.by(), candidate.node))
        .toList();
  }

  /** A selector's watch delivered a node, new or changed. */
  List<Effect> observed(int selector, NodeView node) {
    if (own.contains(node.name())) {
      return List.of();
    }
    Candidate known = candidates.get(node.name());
    if (known == null || !known.node.uid().equals(node.uid())) {
      return begin(selector, node, known);
    }
    int before = known.by();
    boolean newer = node.resourceVersion() > known.node.resourceVersion();
    known.node = newer ? node : known.node;
    known.selected.set(selector);
    if (!listed()) {
      return List.of();
    }
    if (known.by() != before) {
      return List.of(new Effect.Release(node.name()), new Effect.Adopt(known.by(), known.node));
    }
    return newer ? List.of(new Effect.Change(before, node)) : List.of();
  }

  /**
   * Begins with a new node, which may replace a deleted one of its name whose deletion is not known
   * yet.
   */
  private List<Effect> begin(int selector, NodeView node, @Nullable Candidate before) {
    if (before != null && before.node.resourceVersion() > node.resourceVersion()) {
      return List.of(); // outdated: another watch has seen the newer node
    }
    Candidate begun = new Candidate(node);
    begun.selected.set(selector);
    candidates.put(node.name(), begun);
    if (!listed()) {
      return List.of();
    }
    List<Effect> effects = new ArrayList<>();
    if (before != null) {
      effects.add(new Effect.Release(node.name()));
    }
    effects.add(new Effect.Adopt(selector, node));
    return effects;
  }

  /** A selector's watch no longer has the node. */
  List<Effect> gone(int selector, String name, String uid) {
    Candidate known = candidates.get(name);
    if (known == null || !known.node.uid().equals(uid) || !known.selected.get(selector)) {
      return List.of();
    }
    int before = known.by();
    known.selected.clear(selector);
    boolean forgotten = known.selected.isEmpty();
    if (forgotten) {
      candidates.remove(name);
    }
    if (!listed() || known.by() == before) {
      return List.of();
    }
    return forgotten
        ? List.of(new Effect.Release(name))
        : List.of(new Effect.Release(name), new Effect.Adopt(known.by(), known.node));
  }
}
