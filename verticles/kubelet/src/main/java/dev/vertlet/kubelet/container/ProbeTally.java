package dev.vertlet.kubelet.container;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.provider.probe.ProbeResult.Outcome;
import dev.vertlet.provider.probe.ProbeStats;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts the answers of one probe, as a kubelet does: a warning is a success, and only successes
 * are timed. Lives as long as the probe's pod.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/prober/worker.go">
 *     prober/worker.go, kubelet 1.36.3</a>
 */
final class ProbeTally {
  private static final int BUCKETS = ProbeStats.BOUNDS.size() + 1;

  private final int[] durations = new int[BUCKETS];
  private int failed;
  private long millis;

  /**
   * @param millis duration of the probe
   */
  void count(Outcome outcome, long millis) {
    if (outcome == Outcome.FAILURE) {
      failed++;
      return;
    }
    durations[bucket(millis / 1000.0)]++;
    this.millis += millis;
  }

  private static int bucket(double seconds) {
    int bucket = 0;
    while (bucket < BUCKETS - 1 && seconds > ProbeStats.BOUNDS.get(bucket)) {
      bucket++;
    }
    return bucket;
  }

  ProbeStats stats(PodRef pod, String container, ProbeKind kind) {
    List<Long> numbers = new ArrayList<>(BUCKETS);
    for (int number : durations) {
      numbers.add((long) number);
    }
    return new ProbeStats(pod, container, kind, failed, numbers, millis / 1000.0);
  }
}
