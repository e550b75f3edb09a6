package dev.vertlet.trace.record;

import dev.vertlet.cli.ExitCode;
import dev.vertlet.cli.FailedException;
import dev.vertlet.cli.Failures;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.logging.Logging;
import dev.vertlet.model.GoDuration;
import dev.vertlet.trace.TraceException;
import dev.vertlet.trace.record.sanitize.WorkloadKind;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code vertlet record}: writes what happens in a cluster into a trace. */
@Command(
    name = "record",
    mixinStandardHelpOptions = true,
    description = {
      "Records nodes, workloads, scaling and the lives of pods of a cluster into one file.",
      "Reads only. Started again with the same file, it continues it and notes the gap."
    })
public final class RecordCommand implements Callable<Integer> {
  /** 10 years: in effect until Ctrl-C. */
  private static final Duration FOR_EVER = Duration.ofDays(3650);

  private final CompletionStage<Void> ended;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // required
  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description = "The trace: a new file, or one of this cluster, which is continued.")
  private Path out;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "How long, for example 1h. Default: until Ctrl-C.")
  private @Nullable String duration;

  @Option(
      names = "--namespaces",
      paramLabel = "NAME",
      split = ",",
      description = "Only workloads and pods of these namespaces. Default: all.")
  private @Nullable List<String> namespaces;

  @Option(
      names = "--kinds",
      paramLabel = "GROUP/VERSION.KIND=PATH",
      split = ",",
      description =
          "Workloads besides the built-in kinds, with the JSON pointer of their pod template; * for"
              + " each element of an array.")
  private @Nullable List<String> kinds;

  @Option(
      names = "--anonymize",
      description =
          "Replaces names, images, and keys and values of labels. Selectors still match; FILE.key"
              + " keeps the secret that continuing needs.")
  private boolean anonymize;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Kubeconfig file. Default: as kubectl's.")
  private @Nullable Path kubeconfig;

  @Option(names = "--context", paramLabel = "NAME", description = "Context of the kubeconfig.")
  private @Nullable String context;

  /**
   * @param ended completes when the process is asked to end
   */
  public RecordCommand(CompletionStage<Void> ended) {
    this.ended = ended;
  }

  @Override
  public Integer call() throws InterruptedException {
    Duration limit = duration == null ? FOR_EVER : parse(duration);
    RecordOptions options =
        new RecordOptions(out, namespaces == null ? List.of() : namespaces, kinds(), anonymize);
    Logging.warnOnStandardError();
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(2)
                .setInternalBlockingPoolSize(2));
    try {
      record(Recorder.start(vertx, ApiAccess.discover(kubeconfig, context), options), limit);
      return ExitCode.OK;
    } catch (TraceException | RecordException e) {
      throw new FailedException(Failures.line(e), e);
    } finally {
      vertx.close().await();
    }
  }

  private void record(Recorder recorder, Duration limit) throws InterruptedException {
    long began = System.nanoTime();
    try (recorder) {
      recorder.notes().forEach(this::tell);
      recorder.listed().onSuccess(listed -> tell(begun(recorder.summary(), recorder.continued())));
      CompletableFuture<?> failure = recorder.failure().toCompletionStage().toCompletableFuture();
      CompletableFuture.anyOf(ended.toCompletableFuture(), failure)
          .get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // the time that was asked for is over
    } catch (ExecutionException e) {
      throw new FailedException(Failures.line(e), e);
    }
    tell(done(recorder.summary(), Duration.ofNanos(System.nanoTime() - began)));
  }

  private String begun(Recorder.Summary summary, boolean continued) {
    return "%s %s: %d nodes, %d workloads, %d pods%s"
        .formatted(
            continued ? "continuing" : "recording into",
            out,
            summary.nodes(),
            summary.workloads(),
            summary.pods(),
            duration == null ? "; Ctrl-C ends it" : "");
  }

  private String done(Recorder.Summary summary, Duration took) {
    return "recorded %s into %s: %d bytes at the start, then %d changes in %d bytes, %d bytes each"
        .formatted(
            GoDuration.brief(Duration.ofSeconds(took.toSeconds())),
            out,
            summary.listedBytes(),
            summary.changes(),
            summary.changedBytes(),
            summary.changedBytes() / Math.max(1, summary.changes()));
  }

  private List<WorkloadKind> kinds() {
    try {
      return WorkloadKind.parse(kinds == null ? List.of() : kinds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--kinds: " + e.getMessage(), e);
    }
  }

  private Duration parse(String text) {
    try {
      Duration parsed = GoDuration.parse(text);
      if (parsed.compareTo(Duration.ofSeconds(1)) < 0) {
        throw new IllegalArgumentException("\"" + text + "\": 1s or more is allowed");
      }
      return parsed;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--for: " + e.getMessage(), e);
    }
  }

  private void tell(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("vertlet: " + line);
    err.flush();
  }
}
