package dev.vertlet.bus;

import dev.vertlet.model.PodView;
import java.util.List;

/**
 * The pods that {@link PodsAsked} asked for.
 *
 * @param pods of pods with one name, those that the API server still holds first, and of these the
 *     newest
 */
public record PodsKnown(List<Known> pods) implements BusMessage {
  public PodsKnown {
    pods = List.copyOf(pods);
  }

  /**
   * One pod.
   *
   * @param pod as its source last told of it
   * @param mirrorUid UID of the object that shows a static pod at the API server; empty for others
   */
  public record Known(PodView pod, String mirrorUid) {
    /** Whether somebody who gives this UID, or none, means this pod. */
    public boolean is(String uid) {
      return uid.isEmpty() || uid.equals(pod.uid()) || uid.equals(mirrorUid);
    }
  }
}
