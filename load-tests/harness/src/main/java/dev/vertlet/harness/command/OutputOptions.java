package dev.vertlet.harness.command;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.html.HtmlReport;
import dev.vertlet.harness.result.junit.JUnitXml;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options for the files of a load test's result. */
final class OutputOptions {
  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the result there, too.")
  private @Nullable Path json;

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "Writes JUnit XML there: a suite for each run, a test for each threshold.")
  private @Nullable Path junit;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Writes a page for the browser there, which needs nothing else, not even a network.")
  private @Nullable Path report;

  /** Checks the files before the run, so that an hour's run does not end with a mistyped path. */
  void require() {
    require("--json", json);
    require("--junit", junit);
    require("--report", report);
  }

  private void require(String option, @Nullable Path file) {
    if (file == null) {
      return;
    }
    Path folder = file.toAbsolutePath().normalize().getParent();
    if (folder == null || Files.isDirectory(file) || !Files.isWritable(folder)) {
      throw new ParameterException(
          command.commandLine(),
          "%s: \"%s\" must be a file in a directory that can be written".formatted(option, file));
    }
  }

  /**
   * Writes the requested files and names them on standard error; standard output is the result.
   *
   * @throws FailedException when a file cannot be written
   */
  void write(Comparison comparison) {
    JsonObject result =
        comparison.runs().size() == 1
            ? RunJson.of(comparison.runs().get(0))
            : RunJson.of(comparison);
    write("--json", json, result::encodePrettily);
    write("--junit", junit, () -> JUnitXml.of(comparison));
    write("--report", report, () -> HtmlReport.of(comparison));
  }

  private void write(String option, @Nullable Path file, Supplier<String> content) {
    if (file == null) {
      return;
    }
    try {
      Files.writeString(file, content.get() + System.lineSeparator());
    } catch (IOException e) {
      throw new FailedException(
          "cannot write %s %s: %s".formatted(option, file, e.getMessage()), e);
    }
    printWritten(command.commandLine().getErr(), option, file);
  }

  /** Prints one line for a written file. */
  static void printWritten(PrintWriter err, String option, Path file) {
    err.println("%s: written to %s".formatted(option, file.toAbsolutePath().normalize()));
    err.flush();
  }
}
