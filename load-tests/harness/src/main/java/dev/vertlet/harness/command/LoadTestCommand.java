package dev.vertlet.harness.command;

import dev.vertlet.agent.FailedException;
import dev.vertlet.agent.Logging;
import dev.vertlet.harness.loadtest.LoadReport;
import dev.vertlet.harness.loadtest.LoadTest;
import dev.vertlet.harness.loadtest.LoadTestOptions;
import dev.vertlet.harness.loadtest.Target;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code vertlet load-test}: how fast, how cheap, how even. */
@Command(
    name = "load-test",
    mixinStandardHelpOptions = true,
    description = {
      "Runs an agent in a process of its own, creates pods on its nodes, deletes them, and measures from outside.",
      "What it creates in a cluster it removes again, also after Ctrl-C."
    })
final class LoadTestCommand implements Callable<Integer> {
  private final CompletionStage<Void> ended;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @Mixin private WorkOptions work = new WorkOptions();

  @Option(
      names = "--target",
      paramLabel = "TARGET",
      defaultValue = "embedded",
      converter = TargetConverter.class,
      description =
          "embedded, control-plane (a real API server on loopback), or the kubeconfig file of a cluster."
              + " Default: ${DEFAULT-VALUE}.")
  private Target target = new Target.Embedded();

  @Option(
      names = "--agent-kubeconfig",
      paramLabel = "FILE",
      description =
          "What the agent connects to a cluster with, to measure it with the rights it is given."
              + " Default: the target's.")
  private @Nullable Path agentKubeconfig;

  @Option(
      names = "--profile",
      paramLabel = "PROFILE",
      defaultValue = "kubelet",
      description = "Of the agent: kubelet or fast. Default: ${DEFAULT-VALUE}.")
  private LoadTestOptions.Profile profile = LoadTestOptions.Profile.KUBELET;

  @Option(
      names = "--rate",
      paramLabel = "PODS/S",
      description = "Creates and deletes at this rate. Default: as fast as the server answers.")
  private @Nullable Double rate;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the report there, too.")
  private @Nullable Path json;

  @Option(names = "--yes", description = "Does not ask before it uses somebody's cluster.")
  private boolean yes;

  LoadTestCommand(CompletionStage<Void> ended) {
    this.ended = ended;
  }

  @Override
  public Integer call() throws Exception {
    LoadTestOptions options =
        new LoadTestOptions(target, agentKubeconfig(), work.nodes(), work.pods(), profile, rate());
    LoadTest test = new LoadTest(options);
    Logging.warnOnStandardError();
    if (target instanceof Target.Existing && !agreed(test)) {
      return 1;
    }
    Patience patience = Patience.begin(ended, work.timeout());
    AtomicBoolean complete = new AtomicBoolean();
    try (Progress progress = Progress.create()) {
      test.run(
          patience,
          progress,
          report -> {
            progress.close();
            complete.set(report.complete());
            tell(report);
          });
    }
    return complete.get() ? 0 : 1;
  }

  private void tell(LoadReport report) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(report.text());
    out.flush();
    write(report);
  }

  /** A cluster that the load test starts itself is in nobody's file. */
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

  private Optional<Double> rate() {
    if (rate != null && !(rate > 0)) {
      throw new ParameterException(
          spec.commandLine(), "--rate: %s must be above 0".formatted(rate));
    }
    return Optional.ofNullable(rate);
  }

  /** Asks on a thread of its own: reading cannot be interrupted, and Ctrl-C has to end it. */
  private boolean agreed(LoadTest test) throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    err.println("On the cluster of " + target + " this " + test.announcement());
    err.flush();
    if (yes) {
      return true;
    }
    Console console = System.console();
    if (console == null) {
      throw new ParameterException(
          spec.commandLine(), "--yes is needed where there is no terminal to ask on");
    }
    CompletableFuture<String> answer = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> answer.complete(String.valueOf(console.readLine("Go on? [y/N] "))), "question");
    reader.setDaemon(true);
    reader.start();
    String text = Patience.begin(ended, work.timeout()).await(answer, () -> "no answer");
    return text.strip().toLowerCase(Locale.ROOT).matches("y|yes");
  }

  private void write(LoadReport report) {
    if (json == null) {
      return;
    }
    try {
      Files.writeString(json, report.json().encodePrettily() + System.lineSeparator());
    } catch (IOException e) {
      throw new FailedException("cannot write --json " + json + ": " + e.getMessage(), e);
    }
  }

  /** Turns an argument into a target. */
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
