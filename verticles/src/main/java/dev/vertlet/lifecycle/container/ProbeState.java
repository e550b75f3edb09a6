package dev.vertlet.lifecycle.container;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.ProbeView;
import dev.vertlet.provider.ProbeKind;
import dev.vertlet.provider.ProbeResult.Outcome;
import dev.vertlet.provider.ProbeStats;
import org.jspecify.annotations.Nullable;

/**
 * One probe of one container: when it is due and what its answers mean. Pure; times are epoch
 * milliseconds.
 *
 * <pre>
 *   instance() -> [due] -> begin() -> answered() | late() | thrownAway() -> [due] ...
 *                              failed liveness, any settled start-up: on hold until instance()
 * </pre>
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/prober/worker.go">
 *     prober/worker.go, kubelet 1.36.3</a>
 */
public final class ProbeState {
  /** What the probe says of the container, once its thresholds are met. */
  enum Verdict {
    UNKNOWN,
    SUCCESS,
    FAILURE
  }

  /** Tries of one probe that could not be made (kubelet's maxProbeRetries). */
  static final int TRIES = 3;

  public final ProbeKind kind;
  public final ProbeView spec;
  private Verdict verdict;

  /** A time the probe is due at; it is due at all that are whole periods away from it, too. */
  private long tick;

  private boolean onHold;
  private boolean lastSucceeded;
  private int run;

  /** When the probe in flight is late; 0 when none is. */
  private long lateAt;

  private int call;
  private int tries;

  /** What came of it so far; null before the first answer. */
  private @Nullable ProbeTally tally;

  /** That the runtime cannot make this probe was told. */
  private boolean unsupportedTold;

  /**
   * @param since the probe's ticks are one period after this and all that follow: at the first one
   *     of a kubelet there is no container yet
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

  /** Another instance of the container is probed from now on. */
  void instance() {
    verdict = initial(kind);
    onHold = false;
    run = 0;
    lateAt = 0;
    tries = 0;
  }

  /**
   * The instance was running before the agent started: what was shown of it stays until a probe
   * says otherwise.
   *
   * @param good what the API server showed
   * @param firstAt the first tick from now on
   */
  void adopted(boolean good, long firstAt) {
    if (good) {
      verdict = Verdict.SUCCESS;
    }
    onHold = kind == ProbeKind.STARTUP && good;
    tick = firstAt;
  }

  /** Due at once, and from then on every period. */
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

  /** When the probe in flight is late; 0 when none is. */
  public long lateAt() {
    return lateAt;
  }

  /**
   * When to probe next: at a tick, and not within the initial delay.
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
   * A probe is made now.
   *
   * @return number of the call, for {@link #awaits}
   */
  public int begin(long now) {
    // a probe that takes longer than its period is made again as soon as it has an answer
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

  /** The probe could not be made; whether it is tried again at once. */
  public boolean retries() {
    return ++tries < TRIES;
  }

  /** The probe could not be made at all: that says nothing of the container. */
  public void thrownAway() {
    lateAt = 0;
  }

  /** Whether this is the first time that the runtime could not make the probe. */
  public boolean unsupported() {
    boolean first = !unsupportedTold;
    unsupportedTold = true;
    return first;
  }

  /**
   * Counts an answer; before {@link #answered}, which ends the call.
   *
   * @param now when it came
   */
  public void count(Outcome outcome, long now) {
    ProbeTally all = tally;
    if (all == null) {
      all = new ProbeTally();
      tally = all;
    }
    all.count(outcome, now - (lateAt - spec.timeoutSeconds() * 1000L));
  }

  /** What came of it so far, over all instances of the container; null before the first answer. */
  @Nullable ProbeStats stats(PodRef pod, String container) {
    return tally == null ? null : tally.stats(pod, container, kind);
  }

  /**
   * The probe has an answer; none in time is a failure.
   *
   * @return whether the verdict is another one now
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
