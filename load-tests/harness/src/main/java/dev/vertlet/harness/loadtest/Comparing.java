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
 * The same load test of several subjects, which take turns: whatever else goes on on the machine
 * then meets all of them. Each run has a cluster of its own, where the target is not somebody's.
 */
public final class Comparing {
  private final LoadTestOptions options;
  private final List<SubjectSpec> subjects;
  private final int runs;

  /**
   * @param options whose subject does not count
   * @param runs of each
   * @throws IllegalArgumentException when the target cannot do what the scenario says, a subject
   *     cannot, or two have one name
   * @throws FailedException when a subject is not on this machine, with what brings it
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

  /** What it will do to a cluster, for whoever has to agree. */
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
   * Runs all.
   *
   * @param patience for one run, from its beginning
   * @param reporter told what there is when all is done or a run has failed, but for the first
   * @throws FailedException as of the run that failed
   */
  public void run(Supplier<Patience> patience, Progress progress, Consumer<Comparison> reporter)
      throws Exception {
    told(
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

  /** Runs that tell their results as they come. */
  interface Runs {
    void run(Consumer<RunResult> results) throws Exception;
  }

  /** What ended the runs is what matters, whatever the reporter then makes of half of them. */
  static void told(Runs runs, Consumer<Comparison> reporter) throws Exception {
    List<RunResult> results = new ArrayList<>();
    try {
      runs.run(results::add);
    } catch (Exception failure) {
      try {
        tell(results, reporter);
      } catch (RuntimeException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
    tell(results, reporter);
  }

  private static void tell(List<RunResult> results, Consumer<Comparison> reporter) {
    if (!results.isEmpty()) {
      reporter.accept(new Comparison(results));
    }
  }
}
