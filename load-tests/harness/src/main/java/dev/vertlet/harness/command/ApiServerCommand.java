package dev.vertlet.harness.command;

import dev.vertlet.apiserver.ControllerOptions;
import dev.vertlet.harness.run.ClusterFiles;
import dev.vertlet.harness.run.EmbeddedCluster;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.RunDir;
import dev.vertlet.harness.run.StoppedException;
import dev.vertlet.logging.Logging;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code vertlet api-server}: runs an embedded control plane that starts in a second. */
@Command(
    name = "api-server",
    mixinStandardHelpOptions = true,
    description =
        "Runs the embedded API server, with scheduler and controllers, on loopback until SIGTERM or SIGINT.")
final class ApiServerCommand implements Callable<Integer> {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(1);
  private static final int MAX_PORT = 65_535;

  private final CompletionStage<Void> ended;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Port on 127.0.0.1. Default: any free one.")
  private int port;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = {
        "Keeps objects and certificates there, and beside it token and kubeconfig, for the next start.",
        "With the same --port, agents and kubeconfigs go on as if nothing had happened. Default: in memory only."
      })
  private @Nullable Path state;

  ApiServerCommand(CompletionStage<Void> ended) {
    this.ended = ended;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (port < 0 || port > MAX_PORT) {
      throw new ParameterException(
          spec.commandLine(), "--port: %d must be from 0 to %d".formatted(port, MAX_PORT));
    }
    Logging.warnOnStandardError();
    Patience patience = Patience.begin(ended, START_TIMEOUT);
    try (RunDir dir = RunDir.create("vertlet-api-server-");
        EmbeddedCluster cluster =
            EmbeddedCluster.start(port, ControllerOptions.all(), files(dir), patience)) {
      PrintWriter out = spec.commandLine().getOut();
      out.println("The API server is ready. In another terminal:");
      out.println("  export KUBECONFIG=" + cluster.kubeconfig());
      out.println("  ./vertlet agent --set nodes.0.taints=[]");
      out.println("  kubectl get nodes --watch");
      out.println("Ctrl-C stops it.");
      out.flush();
      patience.untilEnded();
    } catch (StoppedException e) {
      return 0;
    }
    return 0;
  }

  private ClusterFiles files(RunDir dir) {
    if (state == null) {
      return ClusterFiles.in(dir);
    }
    try {
      return ClusterFiles.beside(state);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--state: " + e.getMessage(), e);
    }
  }
}
