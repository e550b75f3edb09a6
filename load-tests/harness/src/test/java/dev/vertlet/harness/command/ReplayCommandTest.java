package dev.vertlet.harness.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.cli.ExitCode;
import dev.vertlet.harness.replay.SampleTrace;
import dev.vertlet.trace.TraceEvent;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Traces that cannot be replayed are refused before anything is started or written. */
class ReplayCommandTest {
  @TempDir private Path dir;
  private final StringWriter err = new StringWriter();
  private Path trace;
  private Path report;

  @Command(name = "vertlet")
  private static final class Root {}

  @BeforeEach
  void paths() {
    trace = dir.resolve("trace.gz");
    report = dir.resolve("report");
  }

  private void refused(String message, String... more) {
    CommandLine root = new CommandLine(new Root());
    new HarnessCommands().contribute(root, new CompletableFuture<>());
    String[] arguments =
        Stream.concat(
                Stream.of("replay", trace.toString(), "--target=embedded", "--report=" + report),
                Arrays.stream(more))
            .toArray(String[]::new);
    assertThat(
            root.setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err))
                .execute(arguments))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(message);
    assertThat(report).doesNotExist();
  }

  private static SampleTrace sample() {
    return new SampleTrace()
        .node(0, "n1")
        .add(new TraceEvent.WorkloadAdded(0, SampleTrace.WEB, SampleTrace.deployment(1, "1")))
        .pod(SampleTrace.WEB, "web-a", 100, 1_000, null, 0);
  }

  @Test
  void aTraceThatIsNotThere() {
    refused("trace.gz: does not exist");
  }

  @Test
  void aTraceThatIsCutOff() throws Exception {
    sample().write(trace, 5_000);
    byte[] whole = Files.readAllBytes(trace);
    Files.write(trace, Arrays.copyOf(whole, whole.length - 12));

    refused("is cut off");
    assertThat(err.toString()).contains("--cut-off");
  }

  @Test
  void aTraceOfANewerVersion() throws Exception {
    try (var out = new GZIPOutputStream(Files.newOutputStream(trace))) {
      out.write(
          "{\"trace\":\"vertlet\",\"version\":2,\"started\":\"2026-01-31T12:00:00Z\"}\n"
              .getBytes(StandardCharsets.UTF_8));
    }

    refused("is a trace of version 2, version 1 can be read");
  }

  @Test
  void aTraceWithoutNodes() {
    new SampleTrace()
        .add(new TraceEvent.WorkloadAdded(0, SampleTrace.WEB, SampleTrace.deployment(1, "1")))
        .write(trace, 5_000);

    refused("the recording has no nodes: --nodes FILE names those that its pods are to run on");
  }

  @Test
  void aSpeedOutsideItsRange() {
    sample().write(trace, 5_000);

    refused("--speed: 0.001 must be from 0.01 to 1000", "--speed=0.001");
  }

  @Test
  void aFileThatIsNoTraceOfSimkube() {
    sample().write(trace, 5_000);

    refused("trace.gz", "--from=simkube");
  }
}
