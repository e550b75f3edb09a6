package dev.vertlet.harness.command;

import dev.vertlet.harness.baseline.Baseline;
import dev.vertlet.harness.baseline.Baseline.Outcome;
import dev.vertlet.harness.baseline.BaselineText;
import dev.vertlet.harness.loadtest.Comparing;
import dev.vertlet.harness.loadtest.Expectation;
import dev.vertlet.harness.loadtest.LoadTest;
import dev.vertlet.harness.loadtest.LoadTestOptions;
import dev.vertlet.harness.loadtest.ResultShape;
import dev.vertlet.harness.loadtest.Target;
import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.text.ComparisonText;
import dev.vertlet.harness.result.text.RunText;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import dev.vertlet.harness.scenario.Resized;
import dev.vertlet.harness.scenario.Scenario;
import dev.vertlet.harness.scenario.ScenarioReader;
import dev.vertlet.harness.scenario.Scenarios;
import dev.vertlet.harness.subject.SubjectSpec;
import dev.vertlet.logging.Logging;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code vertlet load-test}: measures speed, cost and evenness. */
@Command(
    name = "load-test",
    mixinStandardHelpOptions = true,
    description = {
      "Runs an agent in a process of its own, creates pods on its nodes, deletes them, and measures"
          + " from outside.",
      "What it creates in a cluster it removes again, also after Ctrl-C."
    })
final class LoadTestCommand implements Callable<Integer> {
  private final CompletionStage<Void> ended;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @Mixin private WorkOptions work = new WorkOptions();
  @Mixin private SubjectOptions subjects = new SubjectOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  @Option(
      names = "--target",
      paramLabel = "TARGET",
      defaultValue = "embedded",
      converter = TargetConverter.class,
      description =
          "embedded, control-plane (a real API server on loopback), or the kubeconfig file of a"
              + " cluster. Default: ${DEFAULT-VALUE}.")
  private Target target = new Target.Embedded();

  @Option(
      names = "--agent-kubeconfig",
      paramLabel = "FILE",
      description =
          "What the subject connects to a cluster with, to measure it with the rights it is given."
              + " Default: the target's.")
  private @Nullable Path agentKubeconfig;

  @Option(
      names = "--scenario",
      paramLabel = "FILE",
      description =
          "What to do, for example conf/examples/load/churn.json; --nodes and --pods change its"
              + " size. Default: pods up, and down again.")
  private @Nullable Path file;

  @Option(
      names = "--rate",
      paramLabel = "PODS/S",
      description = "Creates and deletes at this rate. Default: as fast as the server answers.")
  private @Nullable Double rate;

  @Option(
      names = "--traffic",
      description =
          "Counts what the subject sends and receives, by a proxy before the API server, which"
              + " takes time.")
  private boolean traffic;

  @Option(
      names = "--heap",
      description =
          "Counts what lives in the agent's heap before and after each phase, by full collections;"
              + " needs a JDK.")
  private boolean heap;

  @Option(
      names = "--baseline",
      paramLabel = "FILE",
      description =
          "Ratios between two of the subjects that must not get worse, for example"
              + " load-tests/baseline.json. May be repeated.")
  private List<Path> baselineFiles = new ArrayList<>();

  @Option(names = "--yes", description = "Does not ask before it uses somebody's cluster.")
  private boolean yes;

  LoadTestCommand(CompletionStage<Void> ended) {
    this.ended = ended;
  }

  @Override
  public Integer call() throws Exception {
    Scenario scenario = scenario();
    Duration timeout = work.timeout(Expectation.of(scenario));
    List<SubjectSpec> all = subjects.subjects();
    requireHeap(all);
    LoadTestOptions options =
        new LoadTestOptions(
            target, agentKubeconfig(), scenario, all.get(0), traffic, heap, arguments());
    output.require();
    int runs = subjects.runs();
    List<Baseline> baselines = baselines(all, ResultShape.result(scenario, traffic, heap));
    Work test = all.size() == 1 && runs == 1 ? single(options) : several(options, all, runs);
    Logging.warnOnStandardError();
    if (target instanceof Target.Existing
        && !Confirmation.to(
            "On the cluster of " + target + " this " + test.announcement(),
            yes,
            spec.commandLine(),
            Patience.begin(ended, timeout))) {
      return 1;
    }
    AtomicBoolean passed = new AtomicBoolean();
    try (Progress progress = Progress.create()) {
      test.runner()
          .run(
              () -> Patience.begin(ended, timeout),
              progress,
              result -> {
                progress.close();
                tell(result);
                passed.set(allHeld(baselines, result) && result.passed());
              });
    }
    return passed.get() ? 0 : 1;
  }

  private void requireHeap(List<SubjectSpec> all) {
    for (SubjectSpec subject : all) {
      boolean counted =
          subject instanceof SubjectSpec.Vertlet || subject instanceof SubjectSpec.Remote;
      if (heap && !counted) {
        throw new ParameterException(
            spec.commandLine(),
            "--heap: is for vertlet in a process of its own, and \"%s\" is not"
                .formatted(subject.name()));
      }
    }
  }

  private List<Baseline> baselines(List<SubjectSpec> all, JsonObject blank) {
    Set<String> names =
        all.stream().map(SubjectSpec::name).collect(Collectors.toCollection(LinkedHashSet::new));
    List<Baseline> read = baselineFiles.stream().map(Baseline::read).toList();
    return usable(
        "--baseline",
        () -> {
          read.forEach(baseline -> baseline.requireSubjects(names));
          read.forEach(baseline -> baseline.requireFigures(blank));
          return read;
        });
  }

  /** Checks and prints every baseline, also after a regression. */
  private boolean allHeld(List<Baseline> baselines, Comparison result) {
    boolean all = true;
    for (Baseline baseline : baselines) {
      all &= held(baseline, result);
    }
    return all;
  }

  /** Checks a baseline. After a failed first run, only that failure is reported. */
  private boolean held(Baseline baseline, Comparison result) {
    if (!baseline.measuredIn(result)) {
      return false;
    }
    List<Outcome> outcomes = baseline.check(result);
    PrintWriter out = spec.commandLine().getOut();
    out.println(BaselineText.of(baseline, outcomes));
    out.flush();
    return outcomes.stream().allMatch(Outcome::met);
  }

  private Scenario scenario() {
    if (file == null) {
      return Scenarios.simple(work.nodes(), work.pods(), rate());
    }
    if (rate != null) {
      throw new ParameterException(
          spec.commandLine(), "--rate: does not go with --scenario, whose phases say when");
    }
    return resized(ScenarioReader.read(file));
  }

  private Scenario resized(Scenario read) {
    Scenario sized = work.nodesGiven() ? Resized.nodes(read, work.nodes()) : read;
    if (!work.podsGiven()) {
      return sized;
    }
    int pods = work.pods(sized.nodes());
    return usable("--pods", () -> Resized.pods(sized, pods));
  }

  private Optional<Double> rate() {
    if (rate != null && !(rate > 0 && rate < Double.POSITIVE_INFINITY)) {
      throw new ParameterException(
          spec.commandLine(), "--rate: %s must be above 0".formatted(rate));
    }
    return Optional.ofNullable(rate);
  }

  /** One run, or the runs of a comparison. */
  private record Work(String announcement, Runner runner) {}

  private interface Runner {
    void run(Supplier<Patience> patience, Progress progress, Consumer<Comparison> reporter)
        throws Exception;
  }

  private Work single(LoadTestOptions options) {
    LoadTest test = usable("--scenario", () -> new LoadTest(options));
    return new Work(
        test.announcement(),
        (patience, progress, reporter) ->
            test.run(
                patience.get(),
                progress,
                result -> reporter.accept(new Comparison(List.of(result)))));
  }

  private Work several(LoadTestOptions options, List<SubjectSpec> all, int runs) {
    Comparing test = usable("--compare", () -> new Comparing(options, all, runs));
    return new Work(test.announcement(), test::run);
  }

  private <T> T usable(String option, Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
    }
  }

  private void tell(Comparison result) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        result.runs().size() == 1 ? RunText.of(result.runs().get(0)) : ComparisonText.of(result));
    out.flush();
    output.write(result);
  }

  private List<String> arguments() {
    return spec.commandLine().getParseResult().originalArgs();
  }

  /** Kubeconfig of the agent; allowed only for an existing cluster. */
  private Optional<Path> agentKubeconfig() {
    if (agentKubeconfig == null) {
      return Optional.empty();
    }
    if (!(target instanceof Target.Existing)) {
      throw new ParameterException(
          spec.commandLine(), "--agent-kubeconfig: needs a --target that is a kubeconfig file");
    }
    if (!Files.isRegularFile(agentKubeconfig) || !Files.isReadable(agentKubeconfig)) {
      throw new ParameterException(
          spec.commandLine(),
          "--agent-kubeconfig: \"%s\" must be a kubeconfig file that can be read"
              .formatted(agentKubeconfig));
    }
    return Optional.of(agentKubeconfig.toAbsolutePath());
  }

  /** Converts an argument to a target. */
  static final class TargetConverter implements ITypeConverter<Target> {
    @Override
    public Target convert(String value) {
      try {
        return Target.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
