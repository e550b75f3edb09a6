package dev.vertlet.harness.command;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.RunResult;
import dev.vertlet.harness.result.html.HtmlReport;
import dev.vertlet.harness.result.junit.JUnitXml;
import dev.vertlet.harness.result.text.ComparisonText;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vertlet load-report}: shows stored results side by side. */
@Command(
    name = "load-report",
    mixinStandardHelpOptions = true,
    description = {
      "Puts results of load tests side by side, as a table and, if wanted, as a page for the browser.",
      "Several results of one subject count as runs of it: their median is shown."
    })
final class LoadReportCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Written by load-test --json. The first one's subject is what others are compared to.")
  private List<Path> files = List.of();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Writes a page there that needs nothing else, not even a network.")
  private @Nullable Path report;

  @Option(names = "--junit", paramLabel = "FILE", description = "Writes JUnit XML there.")
  private @Nullable Path junit;

  @Override
  public Integer call() {
    Comparison comparison =
        new Comparison(files.stream().flatMap(file -> read(file).stream()).toList());
    warn(comparison.differences());
    PrintWriter out = spec.commandLine().getOut();
    out.println(ComparisonText.of(comparison));
    out.flush();
    if (report != null) {
      write("--report", report, HtmlReport.of(comparison));
    }
    if (junit != null) {
      write("--junit", junit, JUnitXml.of(comparison));
    }
    return 0;
  }

  /** Warns that the runs differ: their figures can stand side by side but are no comparison. */
  private void warn(List<String> differences) {
    PrintWriter err = spec.commandLine().getErr();
    differences.forEach(
        difference -> err.println("warning: the runs are not alike: " + difference));
    err.flush();
  }

  private List<RunResult> read(Path file) {
    try {
      List<RunResult> runs = RunJson.read(new JsonObject(Files.readString(file)));
      if (runs.isEmpty()) {
        throw wrong(file, "holds no run", null);
      }
      return runs;
    } catch (NoSuchFileException e) {
      throw wrong(file, "is not there", e);
    } catch (IOException e) {
      throw wrong(file, "cannot be read: " + e.getMessage(), e);
    } catch (DecodeException | ClassCastException e) {
      throw wrong(file, "must be the JSON that load-test --json writes", e);
    } catch (IllegalArgumentException e) {
      throw wrong(file, "is no result of a load test: " + e.getMessage(), e);
    }
  }

  private ParameterException wrong(Path file, String what, @Nullable Exception cause) {
    return new ParameterException(spec.commandLine(), "\"%s\" %s".formatted(file, what), cause);
  }

  private void write(String option, Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new FailedException(
          "cannot write %s %s: %s".formatted(option, file, e.getMessage()), e);
    }
    OutputOptions.printWritten(spec.commandLine().getErr(), option, file);
  }
}
