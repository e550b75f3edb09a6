package dev.vertlet.harness.result;

import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Several runs side by side: of one or more subjects, each measured once or more often.
 *
 * @param runs at least one, in the order of their execution
 */
public record Comparison(List<RunResult> runs) {
  public Comparison {
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("there is no run to compare");
    }
    runs = List.copyOf(runs);
  }

  /** Whether all runs passed. */
  public boolean passed() {
    return runs.stream().allMatch(RunResult::passed);
  }

  /**
   * Conditions that differ between the runs although figures depend on them, with their values, as
   * text; empty for comparable runs.
   */
  public List<String> differences() {
    return Stream.of(
            difference("scenario", RunResult::scenario),
            difference("nodes", run -> Integer.toString(run.nodes())),
            difference("target", run -> run.environment().target()),
            difference("Kubernetes", run -> run.environment().kubernetes()),
            difference("cores", run -> Integer.toString(run.environment().cores())),
            difference("system", run -> run.environment().system()))
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<String> difference(String what, Function<RunResult, String> of) {
    List<String> values = runs.stream().map(of).distinct().toList();
    return values.size() == 1
        ? Optional.empty()
        : Optional.of(what + ": " + String.join(", ", values));
  }

  /** Runs by the name of their subject, in the order of first appearance. */
  public List<SubjectRuns> subjects() {
    Map<String, List<RunResult>> byName =
        runs.stream()
            .collect(
                Collectors.groupingBy(
                    run -> run.subject().name(), LinkedHashMap::new, Collectors.toList()));
    return byName.entrySet().stream()
        .map(entry -> new SubjectRuns(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** All runs of one subject. */
  public record SubjectRuns(String name, List<RunResult> runs, List<JsonObject> json) {
    SubjectRuns(String name, List<RunResult> runs) {
      this(name, List.copyOf(runs), runs.stream().map(RunJson::of).toList());
    }

    /** Version of the subject; empty if unknown, several texts if the runs differ. */
    public String version() {
      return runs.stream()
          .map(run -> run.subject().version())
          .filter(version -> !version.isEmpty())
          .distinct()
          .collect(Collectors.joining(" / "));
    }

    /**
     * Median of a figure over all runs that have it; the mean of the middle two for an even number;
     * empty for none.
     *
     * @param path path of the figure, see {@link RunJson#figure}
     */
    public OptionalDouble median(String path) {
      double[] values = values(path);
      if (values.length == 0) {
        return OptionalDouble.empty();
      }
      int middle = values.length / 2;
      return OptionalDouble.of(
          values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2);
    }

    /** Values of a figure in all runs that have it, ascending. */
    public double[] values(String path) {
      return json.stream()
          .map(run -> RunJson.figure(run, path))
          .filter(OptionalDouble::isPresent)
          .mapToDouble(OptionalDouble::getAsDouble)
          .sorted()
          .toArray();
    }

    /** Run with the median throughput, which a chart shows for several runs. */
    public RunResult typical() {
      List<RunResult> sorted =
          runs.stream().sorted(Comparator.comparingDouble(SubjectRuns::perSecond)).toList();
      return sorted.get((sorted.size() - 1) / 2);
    }

    private static double perSecond(RunResult run) {
      return run.measured().stream().mapToDouble(PhaseResult::perSecond).sum();
    }
  }
}
