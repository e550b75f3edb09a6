package dev.vertlet.harness.loadtest;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.RunResult;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import dev.vertlet.harness.subject.Subject;
import dev.vertlet.harness.subject.SubjectSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs the same load test for several subjects alternately, so that other activity on the machine
 * affects all of them. Each run has its own cluster unless the target is an existing cluster.
 */
public final class Comparing {
  private final LoadTestOptions options;
  private final List<SubjectSpec> subjects;
  private final int runs;

  /**
   * @param options options of every run; their subject is ignored
   * @param runs number of runs of each subject
   * @throws IllegalArgumentException when the target or a subject does not support the scenario, or
   *     two subjects have the same name
   * @throws FailedException when a subject is not installed, with a hint how to install it
   */
  public Comparing(LoadTestOptions options, List<SubjectSpec> subjects, int runs) {
    this.options = options;
    this.subjects = List.copyOf(subjects);
    this.runs = runs;
    Set<String> names = new HashSet<>();
    for (SubjectSpec subject : subjects) {
      options.withSubject(subject).require();
      Subject.requireInstalled(subject);
      if (!names.add(subject.name())) {
        throw new IllegalArgumentException("two subjects are named " + subject.name());
      }
    }
  }

  /** Describes the changes to the cluster, for confirmation. */
  public String announcement() {
    return ("creates, %d times, %d nodes and, in new namespaces that begin with load-, up to %d pods"
            + " at a time on them; removes all of it each time. Should it be killed: kubectl delete"
            + " namespaces,nodes -l %s")
        .formatted(
            runs * subjects.size(),
            options.scenario().nodes(),
            options.scenario().mostPods(),
            LoadPlan.LABEL);
  }

  /**
   * Runs all load tests.
   *
   * @param patience supplies the time limit of each run at its start
   * @param reporter receives the comparison at the end, or the results so far when a run other than
   *     the first fails
   * @throws FailedException the failure of a run
   */
  public void run(Supplier<Patience> patience, Progress progress, Consumer<Comparison> reporter)
      throws Exception {
    reportAfter(
        results -> {
          for (int run = 1; run <= runs; run++) {
            for (SubjectSpec subject : subjects) {
              String title = "%s %d/%d ".formatted(subject.name(), run, runs);
              new LoadTest(options.withSubject(subject), title)
                  .run(patience.get(), progress, results);
            }
          }
        },
        reporter);
  }

  /** Runs that deliver each result at once. */
  interface Runs {
    void run(Consumer<RunResult> results) throws Exception;
  }

  /** Reports the results, also after a failure of the runs, which it rethrows. */
  static void reportAfter(Runs runs, Consumer<Comparison> reporter) throws Exception {
    List<RunResult> results = new ArrayList<>();
    try {
      runs.run(results::add);
    } catch (Exception failure) {
      try {
        report(results, reporter);
      } catch (RuntimeException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
    report(results, reporter);
  }

  private static void report(List<RunResult> results, Consumer<Comparison> reporter) {
    if (!results.isEmpty()) {
      reporter.accept(new Comparison(results));
    }
  }
}
