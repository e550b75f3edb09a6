package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.load.Counts;
import dev.vertlet.harness.scenario.Phase;
import java.util.Locale;

/** Progress of a phase for display. */
final class PhaseProgress {
  private PhaseProgress() {}

  /** Amount of work of a phase; the seconds of a hold. */
  static long total(Phase phase, PhaseSizes.Size size) {
    return phase instanceof Phase.Hold hold ? hold.lasting().toSeconds() : size.arrivals();
  }

  /** Amount of work done. */
  static long done(Phase phase, Counts counts, double seconds) {
    if (phase instanceof Phase.Hold) {
      return (long) seconds;
    }
    if (phase instanceof Phase.Update || phase instanceof Phase.Rollout) {
      return counts.updates();
    }
    return (long) counts.ready() + counts.gone() + counts.lost();
  }

  /** Latencies, lost pods and nodes that are not Ready. */
  static String detail(Counts counts, int nodes) {
    StringBuilder detail = new StringBuilder();
    if (counts.ready() + counts.gone() > 0) {
      detail.append(
          String.format(Locale.ROOT, "p50 %.0f ms, p99 %.0f ms", counts.p50(), counts.p99()));
    }
    if (counts.lost() > 0) {
      separate(detail).append(counts.lost()).append(" lost");
    }
    if (counts.nodesReady() < nodes) {
      separate(detail).append(nodes - counts.nodesReady()).append(" nodes NotReady");
    }
    return detail.toString();
  }

  private static StringBuilder separate(StringBuilder detail) {
    return detail.isEmpty() ? detail : detail.append(", ");
  }
}
