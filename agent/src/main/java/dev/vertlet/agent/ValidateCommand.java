package dev.vertlet.agent;

import dev.vertlet.config.Environment;
import dev.vertlet.config.LoadedConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vertlet validate FILE}. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description = "Checks a configuration and shows every mistake in it.")
final class ValidateCommand implements Runnable {
  private final Environment environment;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Parameters(
      paramLabel = "FILE",
      description = "The configuration, for example conf/vertlet.json.")
  private Path file = Path.of("");

  ValidateCommand(Environment environment) {
    this.environment = environment;
  }

  @Override
  public void run() {
    LoadedConfig loaded = options.load(environment, file);
    PrintWriter out = spec.commandLine().getOut();
    loaded
        .warnings()
        .forEach(warning -> spec.commandLine().getErr().println("vertlet: " + warning));
    out.println("OK: " + Summary.of(loaded.config()));
  }
}
