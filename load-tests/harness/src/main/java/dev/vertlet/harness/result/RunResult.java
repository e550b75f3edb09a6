package dev.vertlet.harness.result;

import dev.vertlet.harness.result.servicelevel.ControlPlaneResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Result of one subject's run through one scenario.
 *
 * @param scenario name of the scenario
 * @param startSeconds time from the start of the subject until all nodes were Ready
 * @param phases phases in order
 * @param leaseGaps gaps between renewals of each node's lease; a gap that is overdue at the end
 *     counts for the maximum
 * @param nodeFlips number of times that a Ready node became NotReady
 * @param podFlips number of times that a Ready pod became unready without a deletion
 * @param lost pods that did not become Ready, did not go, or vanished without a deletion
 * @param errors failed and retried requests of the load
 * @param lastError empty for none
 * @param traffic traffic of the subject in phases that are no warm-up, if counted
 * @param faults faults in the order in which they happened
 * @param restarts restarts of the subject, in order
 * @param outages outages of the API server that have ended, in order
 * @param thresholds outcomes of the thresholds
 * @param controlPlane service levels and what the control plane went through; empty for an embedded
 *     API server
 */
public record RunResult(
    String scenario,
    Subject subject,
    Environment environment,
    int nodes,
    double startSeconds,
    List<PhaseResult> phases,
    Resources resources,
    Latencies leaseGaps,
    int nodeFlips,
    int podFlips,
    int lost,
    int errors,
    String lastError,
    Optional<Traffic> traffic,
    List<FaultRecord> faults,
    List<Restart> restarts,
    List<Outage> outages,
    List<ThresholdResult> thresholds,
    Optional<ControlPlaneResult> controlPlane) {
  public RunResult {
    phases = List.copyOf(phases);
    faults = List.copyOf(faults);
    restarts = List.copyOf(restarts);
    outages = List.copyOf(outages);
    thresholds = List.copyOf(thresholds);
  }

  /** Creates a result without a record of the control plane. */
  public RunResult(
      String scenario,
      Subject subject,
      Environment environment,
      int nodes,
      double startSeconds,
      List<PhaseResult> phases,
      Resources resources,
      Latencies leaseGaps,
      int nodeFlips,
      int podFlips,
      int lost,
      int errors,
      String lastError,
      Optional<Traffic> traffic,
      List<FaultRecord> faults,
      List<Restart> restarts,
      List<Outage> outages,
      List<ThresholdResult> thresholds) {
    this(
        scenario,
        subject,
        environment,
        nodes,
        startSeconds,
        phases,
        resources,
        leaseGaps,
        nodeFlips,
        podFlips,
        lost,
        errors,
        lastError,
        traffic,
        faults,
        restarts,
        outages,
        thresholds,
        Optional.empty());
  }

  /** Returns this result with other thresholds. */
  public RunResult withThresholds(List<ThresholdResult> others) {
    return with(others, controlPlane);
  }

  /** Returns this result with a record of the control plane. */
  public RunResult withControlPlane(ControlPlaneResult recorded) {
    return with(thresholds, Optional.of(recorded));
  }

  private RunResult with(
      List<ThresholdResult> others, Optional<ControlPlaneResult> otherControlPlane) {
    return new RunResult(
        scenario,
        subject,
        environment,
        nodes,
        startSeconds,
        phases,
        resources,
        leaseGaps,
        nodeFlips,
        podFlips,
        lost,
        errors,
        lastError,
        traffic,
        faults,
        restarts,
        outages,
        others,
        otherControlPlane);
  }

  /** Number of pods that became Ready in any phase. */
  public long ready() {
    return phases.stream().mapToLong(PhaseResult::ready).sum();
  }

  /**
   * Divisor of figures per pod: pods that became Ready in phases that are no warm-up, or those that
   * went if they are more.
   */
  public long measuredPods() {
    return Math.max(
        measured().stream().mapToLong(PhaseResult::ready).sum(),
        measured().stream().mapToLong(PhaseResult::gone).sum());
  }

  /** Phases that are no warm-up. */
  public List<PhaseResult> measured() {
    return phases.stream().filter(phase -> !phase.warmUp()).toList();
  }

  /** Whether no pod was lost and every threshold is met. */
  public boolean passed() {
    return lost == 0 && thresholds.stream().allMatch(ThresholdResult::met);
  }

  /**
   * Subject of a run.
   *
   * @param name requested name, for example {@code vertlet} or {@code kwok-64}
   * @param version version it reports, one line; empty if unknown
   * @param command command line; empty for a subject in the load test's process
   */
  public record Subject(String name, String version, List<String> command) {
    /** Limit of a word's length: a class path of jars is too long to read. */
    private static final int LONGEST_WORD = 100;

    public Subject {
      command = List.copyOf(command);
    }

    /** Words of the command for display, long ones truncated. */
    public List<String> shown() {
      return command.stream()
          .map(word -> word.length() > LONGEST_WORD ? word.substring(0, LONGEST_WORD) + "…" : word)
          .toList();
    }
  }

  /**
   * Environment of a run.
   *
   * @param vertlet version of the load test, and of a vertlet subject
   * @param commit commit of its build; empty if unknown
   * @param loadAverage load average of the minute before the start; NaN if the system does not
   *     report it
   * @param kubernetes version of the API server
   * @param java version of the load test's Java
   * @param system name and version of the operating system
   * @param arguments arguments of the load test, with which it can be repeated
   */
  public record Environment(
      Instant started,
      String vertlet,
      String commit,
      double loadAverage,
      String target,
      String kubernetes,
      int cores,
      String java,
      String system,
      List<String> arguments) {
    public Environment {
      arguments = List.copyOf(arguments);
    }
  }

  /** Fault that happened, in seconds after the start of the first phase. */
  public record FaultRecord(double seconds, String what) {}

  /**
   * Restart of the subject.
   *
   * @param seconds time of its start, after the start of the first phase
   * @param servingSeconds time from then until it had renewed every lease; NaN if it has not
   * @param statusPatches pod status patches it sent in that time; empty if not counted
   */
  public record Restart(double seconds, double servingSeconds, OptionalLong statusPatches) {}

  /**
   * Outage of the API server.
   *
   * @param seconds time of its end, after the start of the first phase
   * @param leasesSeconds time from then until the subject had renewed every lease; NaN if it has
   *     not
   * @param pods number of pods that waited at its end to become Ready or to go
   * @param podsSeconds time from its end until all of them had; 0 if there was none, NaN if they
   *     have not
   */
  public record Outage(double seconds, double leasesSeconds, int pods, double podsSeconds) {}

  /**
   * Outcome of a threshold.
   *
   * @param value NaN without a measurement
   * @param detail what the value belongs to, for example a kind of request; empty for none
   */
  public record ThresholdResult(
      String figure, double min, double max, double value, boolean met, String detail) {
    /** Creates an outcome without a detail. */
    public ThresholdResult(String figure, double min, double max, double value, boolean met) {
      this(figure, min, max, value, met, "");
    }

    /** Formats the required value. */
    public String wanted() {
      if (Double.isInfinite(max)) {
        return "at least " + Figure.number(min);
      }
      return Double.isInfinite(min)
          ? "at most " + Figure.number(max)
          : "from %s to %s".formatted(Figure.number(min), Figure.number(max));
    }

    /** Formats the measured value. */
    public String found() {
      String number = Double.isNaN(value) ? "not measured" : Figure.number(value);
      return detail.isEmpty() ? number : number + " (" + detail + ")";
    }
  }
}
