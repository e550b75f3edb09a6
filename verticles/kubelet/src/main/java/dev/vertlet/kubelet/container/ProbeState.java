package dev.vertlet.kubelet.container;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ProbeView;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.provider.probe.ProbeResult.Outcome;
import dev.vertlet.provider.probe.ProbeStats;
import org.jspecify.annotations.Nullable;

/**
 * State of one probe of one container: its schedule and thresholds. Pure; times are epoch
 * milliseconds.
 *
 * <pre>
 *   instance() -> [due] -> begin() -> answered() | late() | thrownAway() -> [due] ...
 *                              failed liveness, any decided startup: on hold until instance()
 * </pre>
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/prober/worker.go">
 *     prober/worker.go, kubelet 1.36.3</a>
 */
public final class ProbeState {
  /** Result of the probe, once its thresholds are met. */
  enum Verdict {
    UNKNOWN,
    SUCCESS,
    FAILURE
  }

  /** Tries of a probe that the runtime could not make (kubelet's maxProbeRetries). */
  static final int TRIES = 3;

  public final ProbeKind kind;
  public final ProbeView spec;
  private Verdict verdict;

  /** One due time of the probe; the others are whole periods away from it. */
  private long tick;

  private boolean onHold;
  private boolean lastSucceeded;
  private int run;

  /** Deadline of the probe in flight; 0 for none. */
  private long lateAt;

  private int call;
  private int tries;

  /** Counts of the answers so far; null before the first. */
  private @Nullable ProbeTally tally;

  /** Whether an unsupported probe was reported. */
  private boolean unsupportedTold;

  /**
   * @param since the probe's first tick is one period after this: at a kubelet's first tick there
   *     is no container yet
   */
  ProbeState(ProbeKind kind, ProbeView spec, long since) {
    this.kind = kind;
    this.spec = spec;
    this.tick = since + period();
    this.verdict = initial(kind);
  }

  private static Verdict initial(ProbeKind kind) {
    return switch (kind) {
      case STARTUP -> Verdict.UNKNOWN;
      case LIVENESS -> Verdict.SUCCESS;
      case READINESS -> Verdict.FAILURE;
    };
  }

  /** Starts to probe another instance of the container. */
  void instance() {
    verdict = initial(kind);
    onHold = false;
    run = 0;
    lateAt = 0;
    tries = 0;
  }

  /**
   * Continues with an instance from before the agent's restart: its status stays until a probe
   * changes it.
   *
   * @param good the API server's status
   * @param firstAt the first tick
   */
  void adopted(boolean good, long firstAt) {
    if (good) {
      verdict = Verdict.SUCCESS;
    }
    onHold = kind == ProbeKind.STARTUP && good;
    tick = firstAt;
  }

  /** Makes the probe due at once, and then every period. */
  void trigger(long at) {
    tick = at;
  }

  Verdict verdict() {
    return verdict;
  }

  public boolean onHold() {
    return onHold;
  }

  public boolean inFlight() {
    return lateAt != 0;
  }

  /** Deadline of the probe in flight; 0 for none. */
  public long lateAt() {
    return lateAt;
  }

  /**
   * Returns the time of the next probe: a tick after the initial delay.
   *
   * @param startedAt of the instance
   */
  public long dueAt(long startedAt) {
    long earliest = startedAt + spec.initialDelaySeconds() * 1000L;
    long period = period();
    return tick >= earliest
        ? tick
        : tick + Math.floorDiv(earliest - tick + period - 1, period) * period;
  }

  private long period() {
    return spec.periodSeconds() * 1000L;
  }

  /**
   * Begins a probe.
   *
   * @return number of the call, for {@link #awaits}
   */
  public int begin(long now) {
    // a probe that takes longer than its period is repeated as soon as it has an answer
    long missed = Math.max(0, Math.floorDiv(now - tick, period()));
    tick += (missed + 1) * period();
    lateAt = now + spec.timeoutSeconds() * 1000L;
    tries = 0;
    return ++call;
  }

  /** Whether the answer of this call still counts. */
  public boolean awaits(int number) {
    return lateAt != 0 && number == call;
  }

  /** Counts a try that the runtime could not make; returns whether to retry at once. */
  public boolean retries() {
    return ++tries < TRIES;
  }

  /** Drops a probe that the runtime could not make: it says nothing of the container. */
  public void thrownAway() {
    lateAt = 0;
  }

  /** Returns whether this is the first time that the runtime could not make the probe. */
  public boolean unsupported() {
    boolean first = !unsupportedTold;
    unsupportedTold = true;
    return first;
  }

  /**
   * Counts an answer; precedes {@link #answered}, which ends the call.
   *
   * @param now when the answer came
   */
  public void count(Outcome outcome, long now) {
    ProbeTally all = tally;
    if (all == null) {
      all = new ProbeTally();
      tally = all;
    }
    all.count(outcome, now - (lateAt - spec.timeoutSeconds() * 1000L));
  }

  /** Returns the counts over all instances of the container; null before the first answer. */
  @Nullable ProbeStats stats(PodRef pod, String container) {
    return tally == null ? null : tally.stats(pod, container, kind);
  }

  /**
   * Ends a probe; a missing answer is a failure.
   *
   * @return whether the verdict changed
   */
  public boolean answered(Outcome outcome) {
    lateAt = 0;
    boolean succeeded = outcome != Outcome.FAILURE;
    run = run > 0 && succeeded == lastSucceeded ? run + 1 : 1;
    lastSucceeded = succeeded;
    if (run < (succeeded ? spec.successThreshold() : spec.failureThreshold())) {
      return false;
    }
    Verdict before = verdict;
    verdict = succeeded ? Verdict.SUCCESS : Verdict.FAILURE;
    if (kind == ProbeKind.STARTUP || (kind == ProbeKind.LIVENESS && !succeeded)) {
      onHold = true;
      run = 0;
    }
    return verdict != before;
  }
}
