package dev.vertlet.harness.load;

import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.scenario.Phase;

/**
 * Counts and times what one phase does, and knows what it still waits for. Pure: it is told the
 * time, in nanoseconds of one monotonic clock. Not thread-safe.
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
   * @param beganSeconds after the first phase
   */
  PhaseMeter(Phase phase, long began, double beganSeconds) {
    this.phase = phase;
    this.began = began;
    this.beganSeconds = beganSeconds;
  }

  /** Pods are asked for. */
  void create(int pods, long from) {
    first = Math.min(first, from);
    created += pods;
    toBecomeReady += pods;
  }

  /** A pod that was asked for is Ready. */
  void ready(long from, long now) {
    ready++;
    toBecomeReady--;
    create.record(now - from);
    timeline.ready(second(now));
    last = Math.max(last, now);
  }

  /** A pod's life began; the phase goes on at least until its end. */
  void lives() {
    toLive++;
  }

  /** A pod's life is over. */
  void lived() {
    toLive--;
  }

  /** A pod is asked to go. */
  void delete(long from) {
    first = Math.min(first, from);
    deleted++;
    toGo++;
  }

  /** A pod that was asked to go is gone. */
  void gone(long from, long now) {
    gone++;
    toGo--;
    delete.record(now - from);
    timeline.gone(second(now));
    last = Math.max(last, now);
  }

  /** A pod was changed. */
  void updated(long from, long now) {
    first = Math.min(first, from);
    last = Math.max(last, now);
    updates++;
  }

  /** Nodes are to run by another config. */
  void roll(int nodes, long from) {
    first = Math.min(first, from);
    toRoll += nodes;
  }

  /** One of them does. */
  void rolled(long now) {
    last = Math.max(last, now);
    toRoll--;
    updates++;
  }

  /** A pod is lost that nothing waits for. */
  void lost() {
    lost++;
  }

  /** Pods that were asked for will not become Ready. */
  void lostBeforeReady(int pods) {
    toBecomeReady -= pods;
    lost += pods;
  }

  /** A pod that was asked to go will not. */
  void lostBeforeGone() {
    toGo--;
    lost++;
  }

  /** Whether everything that was begun has come to its end. */
  boolean idle() {
    return toBecomeReady == 0 && toLive == 0 && toGo == 0 && toRoll == 0;
  }

  Phase phase() {
    return phase;
  }

  /** How far it has come, without percentiles. */
  Counts counts(int nodesReady, double p50, double p99) {
    return new Counts(
        nodesReady, phase.name(), created, ready, deleted, gone, updates, lost, p50, p99);
  }

  /** Of what it creates, or else deletes, in milliseconds. */
  double percentile(double percentile) {
    return (create.count() > 0 ? create : delete).percentile(percentile);
  }

  /** What it has come to; without CPU time, which others know. */
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
