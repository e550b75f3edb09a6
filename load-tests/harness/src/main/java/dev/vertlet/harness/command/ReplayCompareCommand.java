package dev.vertlet.harness.command;

import dev.vertlet.harness.replay.ReportFiles;
import dev.vertlet.harness.replay.report.ReplayReport;
import dev.vertlet.harness.replay.report.ReplayText;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vertlet replay-compare}: shows stored replays side by side. */
@Command(
    name = "replay-compare",
    mixinStandardHelpOptions = true,
    description =
        "Puts replays of one trace beside its recording, as a table and, if wanted, as a page for the browser: for"
            + " schedulers, autoscalers or settings.")
final class ReplayCompareCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @Parameters(
      paramLabel = "REPORT",
      arity = "1..*",
      description = "Written by replay --report: the directory, or its replay.json.")
  private List<Path> files = List.of();

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Writes replay.json there, and replay.html, a page that needs no network.")
  private @Nullable Path report;

  @Override
  public Integer call() {
    List<ReplayReport> reports = new ArrayList<>();
    for (Path file : files) {
      reports.add(usable("", () -> ReportFiles.read(file)));
    }
    PrintWriter err = spec.commandLine().getErr();
    ReplayReport.differences(reports)
        .forEach(difference -> err.println("warning: the replays are not alike: " + difference));
    err.flush();
    ReplayReport together = ReplayReport.together(reports);
    PrintWriter out = spec.commandLine().getOut();
    out.println(ReplayText.of(together));
    out.flush();
    Path dir = report;
    if (dir != null) {
      usable(
          "--report: ",
          () -> {
            ReportFiles.require(dir);
            return dir;
          });
      ReportFiles.write(dir, together)
          .forEach(written -> OutputOptions.printWritten(err, "--report", written));
    }
    return 0;
  }

  private interface Reading<T> {
    T get();
  }

  private <T> T usable(String option, Reading<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), option + e.getMessage(), e);
    }
  }
}
