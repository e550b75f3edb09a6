package dev.vertlet.harness.load;

import dev.vertlet.harness.measure.LatencyHistogram;
import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.scenario.Phase;

/**
 * Counts and times the events of one phase and tracks what the phase still waits for. Pure: takes
 * the time in nanoseconds of one monotonic clock. Not thread-safe.
 */
final class PhaseMeter {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Phase phase;
  private final long began;
  private final double beganSeconds;
  private final LatencyHistogram create = new LatencyHistogram();
  private final LatencyHistogram delete = new LatencyHistogram();
  private final Timeline timeline = new Timeline();
  private int created;
  private int ready;
  private int deleted;
  private int gone;
  private int updates;
  private int lost;
  private int toBecomeReady;
  private int toLive;
  private int toGo;
  private int toRoll;
  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;

  /**
   * @param beganSeconds start of the phase, in seconds after the start of the first
   */
  PhaseMeter(Phase phase, long began, double beganSeconds) {
    this.phase = phase;
    this.began = began;
    this.beganSeconds = beganSeconds;
  }

  /** Records that pods are requested. */
  void create(int pods, long from) {
    first = Math.min(first, from);
    created += pods;
    toBecomeReady += pods;
  }

  /** Records that a requested pod is Ready. */
  void ready(long from, long now) {
    ready++;
    toBecomeReady--;
    create.record(now - from);
    timeline.ready(second(now));
    last = Math.max(last, now);
  }

  /** Records the start of a pod's lifetime; the phase lasts at least until its end. */
  void lives() {
    toLive++;
  }

  /** Records the end of a pod's lifetime. */
  void lived() {
    toLive--;
  }

  /** Records that a pod's deletion is requested. */
  void delete(long from) {
    first = Math.min(first, from);
    deleted++;
    toGo++;
  }

  /** Records that a deleted pod is gone. */
  void gone(long from, long now) {
    gone++;
    toGo--;
    delete.record(now - from);
    timeline.gone(second(now));
    last = Math.max(last, now);
  }

  /** Records that a pod was changed. */
  void updated(long from, long now) {
    first = Math.min(first, from);
    last = Math.max(last, now);
    updates++;
  }

  /** Records that a config is rolled out to nodes. */
  void roll(int nodes, long from) {
    first = Math.min(first, from);
    toRoll += nodes;
  }

  /** Records that one of those nodes runs the config. */
  void rolled(long now) {
    last = Math.max(last, now);
    toRoll--;
    updates++;
  }

  /** Records the loss of a pod that the phase does not wait for. */
  void lost() {
    lost++;
  }

  /** Records that requested pods will not become Ready. */
  void lostBeforeReady(int pods) {
    toBecomeReady -= pods;
    lost += pods;
  }

  /** Records that a deleted pod will not go. */
  void lostBeforeGone() {
    toGo--;
    lost++;
  }

  /** Whether the phase waits for no event. */
  boolean idle() {
    return toBecomeReady == 0 && toLive == 0 && toGo == 0 && toRoll == 0;
  }

  Phase phase() {
    return phase;
  }

  /** Progress of the phase. */
  Counts counts(int nodesReady, double p50, double p99) {
    return new Counts(
        nodesReady, phase.name(), created, ready, deleted, gone, updates, lost, p50, p99);
  }

  /** Percentile of the create latency in milliseconds, or of the delete latency without creates. */
  double percentile(double percentile) {
    return (create.count() > 0 ? create : delete).percentile(percentile);
  }

  /** Result of the phase without CPU time, which is measured elsewhere. */
  PhaseResult result(long now) {
    return new PhaseResult(
        phase.name(),
        phase.warmUp(),
        beganSeconds,
        seconds(now),
        created,
        ready,
        deleted,
        gone,
        updates,
        create.latencies(),
        delete.latencies(),
        0,
        timeline.seconds());
  }

  private double seconds(long now) {
    if (phase instanceof Phase.Hold) {
      return (now - began) / NANOS_PER_SECOND;
    }
    return last == Long.MIN_VALUE ? 0 : Math.max(0, last - first) / NANOS_PER_SECOND;
  }

  private int second(long now) {
    return (int) ((now - began) / NANOS_PER_SECOND);
  }
}
