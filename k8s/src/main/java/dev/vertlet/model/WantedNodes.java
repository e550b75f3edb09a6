package dev.vertlet.model;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;

/**
 * Of which nodes a {@link PodDecoder} decodes the pods, and of which some were passed over. Asked
 * where pods are decoded and told where they are served, so it is safe on any thread: a pod is
 * either decoded, or whoever wants its node afterwards learns that it was not.
 */
public final class WantedNodes implements Predicate<String> {
  /** Of a node; one that is missing is neither wanted, nor was any pod of it passed over. */
  private enum State {
    WANTED,
    WANTED_INCOMPLETE,
    PASSED_OVER
  }

  private final ConcurrentMap<String, State> nodes = new ConcurrentHashMap<>();

  /** Whether the pods of a node are wanted; who asks passes those over that are not. */
  @Override
  public boolean test(String node) {
    State state = nodes.get(node);
    if (state == null) {
      state = nodes.putIfAbsent(node, State.PASSED_OVER);
    }
    return state == State.WANTED || state == State.WANTED_INCOMPLETE;
  }

  /** From here on pods of the node are decoded. */
  public void want(String node) {
    nodes.merge(
        node,
        State.WANTED,
        (known, wanted) -> known == State.PASSED_OVER ? State.WANTED_INCOMPLETE : known);
  }

  /** Pods of the node are passed over again. */
  public void leave(String node) {
    nodes.computeIfPresent(node, (name, known) -> known == State.WANTED ? null : State.PASSED_OVER);
  }

  /** A list of a wanted node's pods is not known to have been read to its end. */
  public void passedOver(String node) {
    nodes.replace(node, State.WANTED, State.WANTED_INCOMPLETE);
  }

  /** Whether pods of a wanted node were passed over; whoever asks lists them anew. */
  public boolean takeIncomplete(String node) {
    return nodes.replace(node, State.WANTED_INCOMPLETE, State.WANTED);
  }
}
