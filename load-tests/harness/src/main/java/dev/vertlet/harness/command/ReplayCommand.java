package dev.vertlet.harness.command;

import dev.vertlet.harness.loadtest.Target;
import dev.vertlet.harness.replay.NodeFile;
import dev.vertlet.harness.replay.Replay;
import dev.vertlet.harness.replay.ReplayOptions;
import dev.vertlet.harness.replay.ReportFiles;
import dev.vertlet.harness.replay.plan.Recording;
import dev.vertlet.harness.replay.report.ReplayReport;
import dev.vertlet.harness.replay.report.ReplayText;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import dev.vertlet.logging.Logging;
import dev.vertlet.trace.RecordedNode;
import dev.vertlet.trace.TraceException;
import dev.vertlet.trace.TraceReader;
import dev.vertlet.trace.simkube.SimkubeTrace;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vertlet replay}: replays a recorded cluster on virtual nodes. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = {
      "Replays a trace on virtual nodes: nodes, workloads and scalings come at their times, and each pod lives as its"
          + " recorded sibling lived. Shows recorded and replayed beside each other.",
      "Removes all it makes at the end. --clean removes what replays that were killed have left."
    })
final class ReplayCommand implements Callable<Integer> {
  private static final String RECORDED = "recorded";
  private static final String VERTLET = "vertlet";
  private static final String SIMKUBE = "simkube";
  private static final Duration CLEAN_TIMEOUT = Duration.ofMinutes(5);

  private final CompletionStage<Void> ended;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "Trace that ./vertlet record has written.")
  private @Nullable Path file;

  @Option(
      names = "--target",
      paramLabel = "TARGET",
      defaultValue = "control-plane",
      converter = LoadTestCommand.TargetConverter.class,
      description =
          "control-plane (a real one on loopback), embedded (pods as recorded, without controllers), or the kubeconfig"
              + " file of a cluster. Default: ${DEFAULT-VALUE}.")
  private Target target = new Target.LocalControlPlane();

  @Option(
      names = "--speed",
      paramLabel = "FACTOR",
      defaultValue = "1",
      description = "Recorded time per real time, 0.01 to 1000. Default: ${DEFAULT-VALUE}.")
  private double speed;

  @Option(
      names = "--scale",
      paramLabel = "N",
      defaultValue = "1",
      description = "Makes N pods and nodes of each, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private int scale;

  @Option(
      names = "--nodes",
      paramLabel = "NODES",
      defaultValue = RECORDED,
      description =
          "recorded, or a file with other nodes, as kubectl get nodes -o json prints them, which are there all the time."
              + " Default: ${DEFAULT-VALUE}.")
  private String nodes = RECORDED;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "What reports call this replay. Default: replayed.")
  private String name = "replayed";

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Writes replay.json there, and replay.html, a page that needs no network.")
  private @Nullable Path report;

  @Option(
      names = "--cut-off",
      description = "Replays what is before the cut of a trace that a crash has cut off.")
  private boolean cutOff;

  @Option(
      names = "--from",
      paramLabel = "FORMAT",
      defaultValue = VERTLET,
      description =
          "Format of FILE: vertlet, or simkube for a trace of SimKube, version 2, which has no nodes and needs --nodes."
              + " Default: ${DEFAULT-VALUE}.")
  private String from = VERTLET;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description =
          "For all of the work, for example 90s or 10m, without the start of a control plane."
              + " Default: the length of the replay and 3m.")
  private @Nullable String timeout;

  @Option(
      names = "--clean",
      description = "Removes what replays have left in the cluster of --target, a kubeconfig file.")
  private boolean clean;

  @Option(names = "--yes", description = "Changes an existing cluster without asking first.")
  private boolean yes;

  ReplayCommand(CompletionStage<Void> ended) {
    this.ended = ended;
  }

  @Override
  public Integer call() throws Exception {
    Logging.warnOnStandardError();
    return clean ? clean() : replay();
  }

  private int clean() throws Exception {
    if (!(target instanceof Target.Existing existing)) {
      throw wrong("--clean: needs a --target that is a kubeconfig file");
    }
    Patience patience = Patience.begin(ended, limit(CLEAN_TIMEOUT));
    if (!Confirmation.to(
        "On the cluster of %s this removes everything with the label vertlet.dev/replay"
            .formatted(target),
        yes,
        spec.commandLine(),
        patience)) {
      return 1;
    }
    Replay.clean(existing, patience);
    PrintWriter out = spec.commandLine().getOut();
    out.println("Nothing of a replay is left.");
    out.flush();
    return 0;
  }

  private int replay() throws Exception {
    if (file == null) {
      throw wrong("a trace FILE is needed, or --clean");
    }
    require();
    Recording recording = read(file);
    ReplayOptions options = options(file);
    if (options.nodes().isEmpty() && !recording.hasNodes()) {
      throw wrong(
          "the recording has no nodes: --nodes FILE names those that its pods are to run on");
    }
    requireReport();
    Replay replay = new Replay(options, recording);
    Patience patience = Patience.begin(ended, limit(replay.timeout()));
    if (target instanceof Target.Existing
        && !Confirmation.to(
            "On the cluster of " + target + " this " + replay.announcement(),
            yes,
            spec.commandLine(),
            patience)) {
      return 1;
    }
    try (Progress progress = Progress.create()) {
      return replay.run(patience, progress, this::tell) ? 0 : 1;
    }
  }

  private void require() {
    if (!(speed >= ReplayOptions.SLOWEST && speed <= ReplayOptions.FASTEST)) {
      throw wrong("--speed: %s must be from 0.01 to 1000".formatted(speed));
    }
    if (!from.equals(VERTLET) && !from.equals(SIMKUBE)) {
      throw wrong("--from: \"%s\" must be vertlet or simkube".formatted(from));
    }
    WorkOptions.require("--scale", scale, 1, ReplayOptions.LARGEST, spec.commandLine());
  }

  /** Makes the directory, which is not to be there for a replay that cannot begin. */
  private void requireReport() {
    if (report != null) {
      try {
        ReportFiles.require(report);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), "--report: " + e.getMessage(), e);
      }
    }
  }

  private ReplayOptions options(Path trace) {
    return new ReplayOptions(
        target,
        name,
        String.valueOf(trace.getFileName()),
        speed,
        scale,
        nodes(),
        spec.commandLine().getParseResult().originalArgs());
  }

  private Optional<List<RecordedNode>> nodes() {
    if (nodes.equals(RECORDED)) {
      return Optional.empty();
    }
    Path path = Path.of(nodes);
    if (!Files.isRegularFile(path)) {
      throw wrong("--nodes: \"%s\" must be recorded or a file with nodes".formatted(nodes));
    }
    return Optional.of(NodeFile.read(path));
  }

  private Recording read(Path trace) {
    try {
      if (from.equals(SIMKUBE)) {
        SimkubeTrace read = SimkubeTrace.read(trace);
        leftOut(read.leftOut());
        return Recording.of(read.header(), read.events());
      }
      return Recording.read(trace, cutOff ? TraceReader.Tail.SKIP : TraceReader.Tail.REFUSE);
    } catch (TraceException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private void leftOut(List<String> kinds) {
    if (!kinds.isEmpty()) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(
          "warning: the trace does not name the pod templates of these kinds, which are left out: "
              + String.join(", ", kinds));
      err.flush();
    }
  }

  private Duration limit(Duration usual) {
    return timeout == null ? usual : WorkOptions.timeout(timeout, spec.commandLine());
  }

  private void tell(ReplayReport result) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(ReplayText.of(result));
    out.flush();
    if (report != null) {
      ReportFiles.write(report, result)
          .forEach(
              written ->
                  OutputOptions.printWritten(spec.commandLine().getErr(), "--report", written));
    }
  }

  private ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }
}
