package dev.vertlet.sandbox.pool;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The pods that a claim would get at once, in the order in which they got ready, without those that
 * another claim was just sent to. Pure but for its own fields.
 */
final class ReadyLine {
  /** UIDs. */
  private final Set<String> line = new LinkedHashSet<>();

  private final Reservations reservations = new Reservations();

  /** Whether the pod is in line only now. */
  boolean add(PodObject pod, Instant now) {
    return !reservations.isHeld(pod.uid(), pod.resourceVersion(), now) && line.add(pod.uid());
  }

  void remove(String uid) {
    line.remove(uid);
  }

  /** Takes the first one out. */
  Optional<String> poll() {
    Optional<String> first = line.stream().findFirst();
    first.ifPresent(line::remove);
    return first;
  }

  /** Takes those out that would be claimed last, so many at most. */
  List<String> pollLast(int count) {
    List<String> all = new ArrayList<>(line);
    List<String> last = all.subList(Math.max(0, all.size() - count), all.size());
    last.forEach(line::remove);
    return last;
  }

  /**
   * A claim was sent to the pod: it is not in line before it is newer, or for a while.
   *
   * @param version of the pod as far as it is known
   */
  void hold(String uid, long version, Instant now) {
    reservations.hold(uid, version, now);
  }

  /** The claim did not get the pod, and nobody else did. */
  void release(String uid) {
    reservations.drop(uid);
  }

  int size() {
    return line.size();
  }

  boolean isEmpty() {
    return line.isEmpty();
  }

  void clear() {
    line.clear();
  }
}
