package dev.vertlet.model.node;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;

/**
 * Nodes whose pods a {@link dev.vertlet.model.wire.PodDecoder} decodes, and whether it has skipped
 * pods of them. The decoding threads read it and the serving context changes it, so it is safe on
 * any thread: if a pod was skipped, a later {@link #want} of its node is marked as incomplete.
 */
public final class WantedNodes implements Predicate<String> {
  /** State of a node; a missing node is not wanted, and none of its pods was skipped. */
  private enum State {
    WANTED,
    WANTED_INCOMPLETE,
    PASSED_OVER
  }

  private final ConcurrentMap<String, State> nodes = new ConcurrentHashMap<>();

  /** Whether the pods of a node are wanted; if not, the caller skips them, which is recorded. */
  @Override
  public boolean test(String node) {
    State state = nodes.get(node);
    if (state == null) {
      state = nodes.putIfAbsent(node, State.PASSED_OVER);
    }
    return state == State.WANTED || state == State.WANTED_INCOMPLETE;
  }

  /** Decodes the pods of the node from now on. */
  public void want(String node) {
    nodes.merge(
        node,
        State.WANTED,
        (known, wanted) -> known == State.PASSED_OVER ? State.WANTED_INCOMPLETE : known);
  }

  /** Skips the pods of the node again. */
  public void leave(String node) {
    nodes.computeIfPresent(node, (name, known) -> known == State.WANTED ? null : State.PASSED_OVER);
  }

  /** Marks a wanted node as incomplete: a list of its pods may not have been read completely. */
  public void passedOver(String node) {
    nodes.replace(node, State.WANTED, State.WANTED_INCOMPLETE);
  }

  /** Whether pods of a wanted node were skipped; the caller must list them. */
  public boolean takeIncomplete(String node) {
    return nodes.replace(node, State.WANTED_INCOMPLETE, State.WANTED);
  }
}
