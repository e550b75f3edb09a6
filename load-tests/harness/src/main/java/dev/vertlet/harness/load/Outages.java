package dev.vertlet.harness.load;

import dev.vertlet.harness.result.RunResult.Outage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Measures the times from the end of an outage of the API server until the subject has renewed
 * every lease, and until the pods that waited for it are Ready or gone. Pure; not thread-safe.
 *
 * <p>Leases count by what their holder wrote into them, as the watch that shows them had an outage,
 * too; pods by when the watch shows them.
 */
final class Outages {
  private static final double MILLIS_PER_SECOND = 1e3;

  private final List<Outage> ended = new ArrayList<>();

  /** When each lease was renewed, by name. */
  private final Map<String, Instant> renewals = new HashMap<>();

  private final Set<String> leases = new HashSet<>();
  private final Set<String> pods = new HashSet<>();
  private Instant end = Instant.EPOCH;
  private Instant lastRenewal = Instant.EPOCH;

  /**
   * Records the end of an outage. Of one that ended before nothing more is measured.
   *
   * @param seconds time of the end, as in results
   * @param began when the outage began, or later
   * @param waitingPods pods that have to become Ready or to go
   */
  void over(double seconds, Instant began, Instant now, Set<String> waitingPods) {
    end = now;
    lastRenewal = now;
    leases.clear();
    renewals.forEach(
        (lease, renewed) -> {
          if (renewed.isBefore(began)) {
            leases.add(lease);
          }
        });
    pods.clear();
    pods.addAll(waitingPods);
    // a server may answer before it says that it is ready
    double renewed = leases.isEmpty() && !renewals.isEmpty() ? 0 : Double.NaN;
    ended.add(
        new Outage(seconds, renewed, waitingPods.size(), waitingPods.isEmpty() ? 0 : Double.NaN));
  }

  /**
   * Records a version of a lease.
   *
   * @param at when its holder renewed it
   */
  void renewed(String lease, Instant at) {
    renewals.put(lease, at);
    if (leases.remove(lease)) {
      lastRenewal = at.isAfter(lastRenewal) ? at : lastRenewal;
      if (leases.isEmpty()) {
        Outage last = last();
        replaceLast(
            new Outage(last.seconds(), since(lastRenewal), last.pods(), last.podsSeconds()));
      }
    }
  }

  /** Forgets a lease after it or its node was deleted. */
  void gone(String lease) {
    renewals.remove(lease);
    leases.remove(lease);
  }

  /** Records that a pod has become Ready or is gone. */
  void served(String pod, Instant now) {
    if (pods.remove(pod) && pods.isEmpty()) {
      Outage last = last();
      replaceLast(new Outage(last.seconds(), last.leasesSeconds(), last.pods(), since(now)));
    }
  }

  private double since(Instant time) {
    return Duration.between(end, time).toMillis() / MILLIS_PER_SECOND;
  }

  private Outage last() {
    return ended.get(ended.size() - 1);
  }

  private void replaceLast(Outage outage) {
    ended.set(ended.size() - 1, outage);
  }

  /** All outages that have ended, in order. */
  List<Outage> ended() {
    return List.copyOf(ended);
  }
}
