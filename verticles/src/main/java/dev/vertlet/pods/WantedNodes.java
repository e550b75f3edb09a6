package dev.vertlet.pods;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Of which nodes the pods are decoded, and of which some were passed over. Asked where pods are
 * decoded and told where they are served, so it is safe on any thread: a pod is either decoded, or
 * whoever wants its node afterwards learns that it was not.
 */
final class WantedNodes implements Predicate<String> {
  private final Set<String> wanted = new HashSet<>();
  private final Set<String> incomplete = new HashSet<>();

  /** Whether the pods of a node are wanted; who asks passes those over that are not. */
  @Override
  public synchronized boolean test(String node) {
    boolean wants = wanted.contains(node);
    if (!wants) {
      incomplete.add(node);
    }
    return wants;
  }

  synchronized void want(String node) {
    wanted.add(node);
  }

  synchronized void leave(String node) {
    wanted.remove(node);
  }

  /** A list of a wanted node's pods is not known to have been read to its end. */
  synchronized void passedOver(String node) {
    incomplete.add(node);
  }

  /** Whether pods of a wanted node were passed over; whoever asks lists them anew. */
  synchronized boolean takeIncomplete(String node) {
    return incomplete.remove(node);
  }
}
