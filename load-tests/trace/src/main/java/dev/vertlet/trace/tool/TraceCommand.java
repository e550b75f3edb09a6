package dev.vertlet.trace.tool;

import dev.vertlet.cli.FailedException;
import dev.vertlet.cli.Failures;
import dev.vertlet.model.GoDuration;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceException;
import dev.vertlet.trace.TraceHeader;
import dev.vertlet.trace.TraceJson;
import dev.vertlet.trace.TraceReader;
import dev.vertlet.trace.TraceReader.Tail;
import dev.vertlet.trace.TraceWriter;
import dev.vertlet.trace.simkube.SimkubeTrace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code vertlet trace}: shows and changes traces. */
@Command(
    name = "trace",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "show|stats|cut|scale|import",
    description = "Shows, cuts and scales traces that vertlet record has written.")
final class TraceCommand {
  private static final double MAX_FACTOR = 100;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--cut-off",
      scope = ScopeType.INHERIT,
      description = "Reads what is before the cut-off end of a trace whose recorder crashed.")
  private boolean cutOff;

  /** Format of the result. */
  private enum Output {
    json
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Prints a trace, a line for each event.")
  int show(
      @Parameters(paramLabel = "FILE", description = "The trace.") Path file,
      @Option(
              names = {"-o", "--output"},
              paramLabel = "json",
              description = "The trace's own lines of JSON. Default: lines for people.")
          @Nullable Output output) {
    PrintWriter out = spec.commandLine().getOut();
    read(
        file,
        header ->
            out.println(
                output == Output.json
                    ? TraceJson.of(header).encode()
                    : "trace of %s, cluster %s".formatted(header.started(), header.cluster())),
        event ->
            out.println(
                output == Output.json ? TraceJson.of(event).encode() : EventText.line(event)));
    out.flush();
    return 0;
  }

  @Command(
      name = "stats",
      mixinStandardHelpOptions = true,
      description = "Prints figures of a trace: kinds, pods, percentiles of their times, gaps.")
  int stats(
      @Parameters(paramLabel = "FILE", description = "The trace.") Path file,
      @Option(
              names = {"-o", "--output"},
              paramLabel = "json",
              description = "One JSON object; times in milliseconds. Default: lines for people.")
          @Nullable Output output) {
    TraceStats stats = new TraceStats();
    read(file, header -> {}, stats::add);
    PrintWriter out = spec.commandLine().getOut();
    if (output == Output.json) {
      out.println(stats.json().encode());
    } else {
      stats.lines().forEach(out::println);
    }
    out.flush();
    return 0;
  }

  @Command(
      name = "cut",
      mixinStandardHelpOptions = true,
      description = "Writes a part of a trace; what existed when it begins exists at its start.")
  int cut(
      @Parameters(paramLabel = "FILE", description = "The trace.") Path file,
      @Option(
              names = "--from",
              paramLabel = "DURATION",
              defaultValue = "0s",
              description = "Begin of the part, for example 5m. Default: ${DEFAULT-VALUE}.")
          String from,
      @Option(
              names = "--to",
              paramLabel = "DURATION",
              description = "Its end. Default: the trace's.")
          @Nullable String to,
      @Option(names = "--out", paramLabel = "FILE", required = true, description = "A new file.")
          Path out) {
    long begin = offset("--from", from);
    long end = to == null ? Long.MAX_VALUE / 4 : offset("--to", to);
    if (end <= begin) {
      throw misused("--to: \"%s\" must be after --from \"%s\"".formatted(to, from));
    }
    TraceCut[] cut = new TraceCut[1];
    TraceHeader[] header = new TraceHeader[1];
    long[] length = new long[1];
    read(
        file,
        before -> {
          header[0] = before;
          cut[0] = new TraceCut(begin, end);
        },
        event -> {
          length[0] = event.at();
          cut[0].add(event);
        });
    if (begin > length[0]) {
      throw misused(
          "--from: \"%s\" is after the end of the trace, %s"
              .formatted(from, EventText.offset(length[0])));
    }
    write(out, () -> started(header[0], begin), writer -> cut[0].events().forEach(writer::write));
    return 0;
  }

  private static TraceHeader started(TraceHeader header, long later) {
    return new TraceHeader(
        header.started().plusMillis(later),
        header.cluster(),
        header.namespaces(),
        header.kinds(),
        header.anonymized());
  }

  @Command(
      name = "scale",
      mixinStandardHelpOptions = true,
      description = "Writes the trace of a larger cluster: more nodes, replicas and pods.")
  int scale(
      @Parameters(paramLabel = "FILE", description = "The trace.") Path file,
      @Option(
              names = "--factor",
              paramLabel = "N",
              required = true,
              description = "How many times as many, 1 to 100; fractions too.")
          double factor,
      @Option(names = "--out", paramLabel = "FILE", required = true, description = "A new file.")
          Path out) {
    if (!(factor >= 1 && factor <= MAX_FACTOR)) {
      throw misused("--factor: %s must be from 1 to %.0f".formatted(factor, MAX_FACTOR));
    }
    write(
        out,
        () -> header(file),
        writer -> {
          TraceScale scale = new TraceScale(factor, writer::write);
          read(file, header -> {}, scale::add);
        });
    return 0;
  }

  /** Formats of other recorders. */
  private enum Format {
    simkube
  }

  @Command(
      name = "import",
      mixinStandardHelpOptions = true,
      description = "Writes the trace of another recorder as one of vertlet.")
  int importTrace(
      @Parameters(paramLabel = "FILE", description = "The other recorder's trace.") Path file,
      @Option(
              names = "--from",
              paramLabel = "simkube",
              required = true,
              description =
                  "The other recorder: ${COMPLETION-CANDIDATES}, its traces of version 2.")
          Format from,
      @Option(names = "--out", paramLabel = "FILE", required = true, description = "A new file.")
          Path out) {
    try {
      SimkubeTrace read = SimkubeTrace.read(file);
      write(out, read::header, writer -> read.events().forEach(writer::write));
      read.leftOut().forEach(kind -> tell(kind + " is left out: no path of its pod template"));
      return 0;
    } catch (TraceException e) {
      throw new FailedException(Failures.line(e), e);
    }
  }

  private TraceHeader header(Path file) {
    try (TraceReader reader = TraceReader.open(file, Tail.SKIP)) {
      return reader.header();
    }
  }

  private void read(Path file, Consumer<TraceHeader> header, Consumer<TraceEvent> events) {
    try (TraceReader reader = TraceReader.open(file, cutOff ? Tail.SKIP : Tail.REFUSE)) {
      header.accept(reader.header());
      for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
        events.accept(event);
      }
      if (reader.cutOff()) {
        tell(file + ": is cut off after line " + (reader.line() - 1));
      }
    } catch (TraceException e) {
      throw new FailedException(Failures.line(e), e);
    }
  }

  private void write(Path out, Supplier<TraceHeader> header, Consumer<TraceWriter> events) {
    boolean whole = false;
    try {
      TraceWriter created = TraceWriter.create(out, header.get());
      try (TraceWriter writer = created) {
        events.accept(writer);
        whole = true;
      } finally {
        if (!whole) {
          Files.deleteIfExists(out);
        }
      }
    } catch (TraceException e) {
      throw new FailedException(Failures.line(e), e);
    } catch (IOException e) {
      throw new FailedException(out + ": cannot be removed: " + e, e);
    }
  }

  private long offset(String option, String text) {
    try {
      Duration offset = GoDuration.parse(text);
      if (offset.isNegative()) {
        throw new IllegalArgumentException("\"" + text + "\": 0s or more is allowed");
      }
      return offset.toMillis();
    } catch (IllegalArgumentException e) {
      throw misused(option + ": " + e.getMessage());
    }
  }

  private ParameterException misused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void tell(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("vertlet: " + line);
    err.flush();
  }
}
