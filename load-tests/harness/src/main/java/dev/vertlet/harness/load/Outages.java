package dev.vertlet.harness.load;

import dev.vertlet.harness.result.RunResult.Outage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Measures the times from the end of an outage of the API server until the subject has renewed
 * every lease, and until the pods that waited for it are Ready or gone. Pure, like {@link
 * LeaseGaps}. Not thread-safe.
 */
final class Outages {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<Outage> ended = new ArrayList<>();
  private final Set<String> leases = new HashSet<>();
  private final Set<String> pods = new HashSet<>();
  private long end;

  /**
   * Records the end of an outage. Of one that ended before nothing more is measured.
   *
   * @param seconds time of the end, as in results
   * @param nanos the same time on a monotonic clock
   * @param heldLeases leases that the subject has to renew
   * @param waitingPods pods that have to become Ready or to go
   */
  void over(double seconds, long nanos, Set<String> heldLeases, Set<String> waitingPods) {
    end = nanos;
    leases.clear();
    leases.addAll(heldLeases);
    pods.clear();
    pods.addAll(waitingPods);
    double none = Double.NaN;
    ended.add(new Outage(seconds, none, waitingPods.size(), waitingPods.isEmpty() ? 0 : none));
  }

  void renewed(String lease, long nanos) {
    if (leases.remove(lease) && leases.isEmpty()) {
      Outage last = last();
      replaceLast(new Outage(last.seconds(), since(nanos), last.pods(), last.podsSeconds()));
    }
  }

  /** Records that a pod has become Ready or is gone. */
  void served(String pod, long nanos) {
    if (pods.remove(pod) && pods.isEmpty()) {
      Outage last = last();
      replaceLast(new Outage(last.seconds(), last.leasesSeconds(), last.pods(), since(nanos)));
    }
  }

  private double since(long nanos) {
    return (nanos - end) / NANOS_PER_SECOND;
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
