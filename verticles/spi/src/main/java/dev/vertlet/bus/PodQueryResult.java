package dev.vertlet.bus;

import dev.vertlet.model.pod.PodView;
import java.util.List;

/**
 * Result of a {@link PodQuery} query.
 *
 * @param pods among pods with one name, those that the API server still holds come first, and of
 *     these the newest
 */
public record PodQueryResult(List<Known> pods) implements BusMessage {
  public PodQueryResult {
    pods = List.copyOf(pods);
  }

  /**
   * One pod.
   *
   * @param pod newest version from its source
   * @param mirrorUid UID of a static pod's mirror pod; empty for other pods
   */
  public record Known(PodView pod, String mirrorUid) {
    /** Whether this UID identifies the pod; the empty UID matches every pod. */
    public boolean is(String uid) {
      return uid.isEmpty() || uid.equals(pod.uid()) || uid.equals(mirrorUid);
    }
  }
}
