package dev.vertlet.cli;

import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.process.Environment;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vertlet validate FILE}. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description = {
      "Checks a configuration, or a scenario of load tests, and shows every mistake in it.",
      "The options are those of a configuration."
    })
final class ValidateCommand implements Runnable {
  private final Environment environment;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Parameters(
      paramLabel = "FILE",
      description =
          "The configuration, for example conf/vertlet.json, or the scenario, for example"
              + " conf/examples/load/churn.json.")
  private Path file = Path.of("");

  ValidateCommand(Environment environment) {
    this.environment = environment;
  }

  @Override
  public void run() {
    FileKind.of(file).ifPresentOrElse(this::check, this::checkConfiguration);
  }

  private void check(FileKind kind) {
    if (!spec.commandLine().getParseResult().matchedOptions().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "\"%s\" is a %s, to which options of a configuration do not apply"
              .formatted(file, kind.name()));
    }
    spec.commandLine().getOut().println("OK: " + kind.check(file));
  }

  private void checkConfiguration() {
    LoadedConfig loaded = options.load(environment, file);
    PrintWriter out = spec.commandLine().getOut();
    loaded
        .warnings()
        .forEach(warning -> spec.commandLine().getErr().println("vertlet: " + warning));
    out.println("OK: " + ConfigSummary.of(loaded.config()));
  }
}
