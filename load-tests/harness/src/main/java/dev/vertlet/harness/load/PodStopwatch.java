package dev.vertlet.harness.load;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * Takes the time from a request to what the watch shows of it, for pods that are known by index.
 * Pure: it is told the time, in nanoseconds of one monotonic clock. Only the first start and the
 * first arrival of a pod count. Not thread-safe.
 */
final class PodStopwatch {
  private static final long NEVER = Long.MIN_VALUE;
  private static final double NANOS_PER_SECOND = 1e9;

  private final long[] started;
  private final long[] arrived;
  private int arrivals;

  PodStopwatch(int pods) {
    started = new long[pods];
    arrived = new long[pods];
    Arrays.fill(started, NEVER);
    Arrays.fill(arrived, NEVER);
  }

  void start(int pod, long nanos) {
    if (started[pod] == NEVER) {
      started[pod] = nanos;
    }
  }

  /** Whether this is news: pods that nobody started do not arrive. */
  boolean arrive(int pod, long nanos) {
    if (started[pod] == NEVER || arrived[pod] != NEVER) {
      return false;
    }
    arrived[pod] = nanos;
    arrivals++;
    return true;
  }

  int arrivals() {
    return arrivals;
  }

  boolean complete() {
    return arrivals == arrived.length;
  }

  PhaseResult result() {
    Histogram micros = Latencies.histogram();
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (int pod = 0; pod < arrived.length; pod++) {
      if (started[pod] != NEVER) {
        first = Math.min(first, started[pod]);
      }
      if (arrived[pod] != NEVER) {
        last = Math.max(last, arrived[pod]);
        micros.recordValue(Math.max(0, arrived[pod] - started[pod]) / 1_000);
      }
    }
    double seconds = arrivals == 0 ? 0 : (last - first) / NANOS_PER_SECOND;
    return new PhaseResult(arrivals, seconds, Latencies.of(micros));
  }
}
