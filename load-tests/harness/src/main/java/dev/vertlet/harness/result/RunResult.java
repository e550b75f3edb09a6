package dev.vertlet.harness.result;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One subject's run through one scenario.
 *
 * @param scenario its name
 * @param startSeconds from the start of the subject until all nodes were Ready
 * @param phases in their order
 * @param leaseGaps between renewals of each node's lease; one that is overdue at the end counts as
 *     the longest
 * @param nodeFlips how often a node that was Ready was not any more
 * @param podFlips the same of pods that nobody asked to go
 * @param lost pods that did not become Ready, did not go, or vanished unasked
 * @param errors requests of the load that failed and were sent again
 * @param lastError empty for none
 * @param traffic of the subject in phases that count, when it was counted
 * @param faults in the order in which they happened
 * @param restarts of the subject, in their order
 * @param thresholds and what became of them
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
    List<ThresholdResult> thresholds) {
  public RunResult {
    phases = List.copyOf(phases);
    faults = List.copyOf(faults);
    restarts = List.copyOf(restarts);
    thresholds = List.copyOf(thresholds);
  }

  /** The same with other thresholds. */
  public RunResult withThresholds(List<ThresholdResult> others) {
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
        others);
  }

  /** Pods that became Ready in any phase. */
  public long ready() {
    return phases.stream().mapToLong(PhaseResult::ready).sum();
  }

  /**
   * Pods that became Ready in phases that count, or that went in them where those are more: what
   * figures per pod are divided by.
   */
  public long measuredPods() {
    return Math.max(
        measured().stream().mapToLong(PhaseResult::ready).sum(),
        measured().stream().mapToLong(PhaseResult::gone).sum());
  }

  /** Phases that count. */
  public List<PhaseResult> measured() {
    return phases.stream().filter(phase -> !phase.warmUp()).toList();
  }

  /** Whether nothing was lost and every threshold was met. */
  public boolean passed() {
    return lost == 0 && thresholds.stream().allMatch(ThresholdResult::met);
  }

  /**
   * What was measured.
   *
   * @param name as it was asked for, for example {@code vertlet} or {@code kwok-64}
   * @param version what it calls itself, one line; empty when nobody knows
   * @param command its command line; empty for one in the load test's own process
   */
  public record Subject(String name, String version, List<String> command) {
    /** A class path of jars is longer than anybody reads. */
    private static final int LONGEST_WORD = 100;

    public Subject {
      command = List.copyOf(command);
    }

    /** The command's words for people, the longest cut. */
    public List<String> shown() {
      return command.stream()
          .map(word -> word.length() > LONGEST_WORD ? word.substring(0, LONGEST_WORD) + "…" : word)
          .toList();
    }
  }

  /**
   * Where it was measured.
   *
   * @param vertlet version of the load test, and of vertlet where that is measured
   * @param commit it was built from; empty when that is unknown
   * @param loadAverage processes that wanted a core in the minute before the start; NaN where the
   *     system does not tell
   * @param kubernetes version of the API server
   * @param java version that the load test ran on
   * @param system name and version of the operating system
   * @param arguments of the load test, so that it can be done again
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

  /** One fault as it happened, in seconds after the beginning of the first phase. */
  public record FaultRecord(double seconds, String what) {}

  /**
   * The subject was started again.
   *
   * @param seconds when, after the beginning of the first phase
   * @param servingSeconds from then until it had renewed every lease; NaN when it has not
   * @param statusPatches of pods that it sent in that time; empty when they were not counted
   */
  public record Restart(double seconds, double servingSeconds, OptionalLong statusPatches) {}

  /**
   * What became of a threshold.
   *
   * @param value NaN when nothing was measured
   */
  public record ThresholdResult(String figure, double min, double max, double value, boolean met) {
    /** What the figure has to be, for people. */
    public String wanted() {
      if (Double.isInfinite(max)) {
        return "at least " + Figure.number(min);
      }
      return Double.isInfinite(min)
          ? "at most " + Figure.number(max)
          : "from %s to %s".formatted(Figure.number(min), Figure.number(max));
    }

    /** What the figure is, for people. */
    public String found() {
      return Double.isNaN(value) ? "not measured" : Figure.number(value);
    }
  }
}
