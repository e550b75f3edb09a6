package dev.vertlet.adopt;

import dev.vertlet.model.NodeView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which nodes are adopted, by what the watches of several selectors say. Pure but for its
 * own fields.
 *
 * <p>Nothing is adopted before the lists of all selectors were read: of those that select a node
 * the first has it, whichever is heard first.
 */
final class Adoptions {
  /** What follows, in this order. */
  sealed interface Effect {
    /**
     * @param by index of the selector
     */
    record Adopt(int by, NodeView node) implements Effect {}

    /** The object of a node that is adopted is another one. */
    record Change(int by, NodeView node) implements Effect {}

    /** Its object is gone, or nobody's here. */
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
   * @param selectors how many there are, at least 1
   * @param own names of nodes that the agent makes itself, which it need not adopt
   */
  Adoptions(int selectors, Set<String> own) {
    this.own = Set.copyOf(own);
    unread.set(0, selectors);
  }

  /** How many are selected. */
  int size() {
    return candidates.size();
  }

  /** Whether all lists were read. */
  boolean listed() {
    return unread.isEmpty();
  }

  /** The whole list of a selector was told. */
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

  /** A selector's watch sees a node, new or changed. */
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

  /** The first of this name, or the next one while the end of the one before went unseen. */
  private List<Effect> begin(int selector, NodeView node, @Nullable Candidate before) {
    if (before != null && before.node.resourceVersion() > node.resourceVersion()) {
      return List.of(); // this watch has yet to see the end of an object that another saw end
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

  /** A selector's watch sees the node no longer. */
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
