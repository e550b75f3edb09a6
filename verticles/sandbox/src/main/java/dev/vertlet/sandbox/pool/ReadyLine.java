package dev.vertlet.sandbox.pool;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Queue of the pods that can be claimed, in the order in which they became ready, without those
 * that a claim is being written to. Pure except for its own fields.
 */
final class ReadyLine {
  /** UIDs. */
  private final Set<String> line = new LinkedHashSet<>();

  private final Reservations reservations = new Reservations();

  /** Adds a pod; returns whether it was not in the queue before. */
  boolean add(PodObject pod, Instant now) {
    return !reservations.isHeld(pod.uid(), pod.resourceVersion(), now) && line.add(pod.uid());
  }

  void remove(String uid) {
    line.remove(uid);
  }

  /** Takes the first pod. */
  Optional<String> poll() {
    Optional<String> first = line.stream().findFirst();
    first.ifPresent(line::remove);
    return first;
  }

  /** Takes up to {@code count} pods from the end, which would be claimed last. */
  List<String> pollLast(int count) {
    List<String> all = new ArrayList<>(line);
    List<String> last = all.subList(Math.max(0, all.size() - count), all.size());
    last.forEach(line::remove);
    return last;
  }

  /**
   * Reserves a pod for a claim's write: it stays out of the queue until it has a newer version, or
   * for a while.
   *
   * @param version known version of the pod
   */
  void hold(String uid, long version, Instant now) {
    reservations.hold(uid, version, now);
  }

  /** Cancels a reservation: the claim did not get the pod. */
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
