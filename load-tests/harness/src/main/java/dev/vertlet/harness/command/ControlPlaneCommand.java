package dev.vertlet.harness.command;

import dev.vertlet.agent.FailedException;
import dev.vertlet.harness.cluster.ControlPlane;
import dev.vertlet.harness.cluster.ControlPlaneException;
import dev.vertlet.harness.cluster.ControlPlaneOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code vertlet control-plane}: a real cluster without machines, for those who have none at hand.
 */
@Command(
    name = "control-plane",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a real Kubernetes control plane on loopback until SIGTERM or SIGINT.",
      "Takes the binaries of KUBEBUILDER_ASSETS, else builds them with Go 1.26 or newer: the first time takes minutes."
    })
final class ControlPlaneCommand implements Runnable {
  private final CompletionStage<Void> ended;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where data, logs and the kubeconfig go; kept for the next run. Default: a temporary directory, removed at the end.")
  private @Nullable Path dir;

  ControlPlaneCommand(CompletionStage<Void> ended) {
    this.ended = ended;
  }

  @Override
  public void run() {
    PrintWriter out = new PrintWriter(System.out, true);
    if (spec != null) {
      out = spec.commandLine().getOut();
    }
    ControlPlaneOptions options = ControlPlaneOptions.defaults();
    try (ControlPlane plane =
        ControlPlane.start(dir == null ? options : options.withDataDir(dir.toAbsolutePath()))) {
      out.println("The control plane is ready. In another terminal:");
      out.println("  export KUBECONFIG=" + plane.kubeconfig());
      out.println("  alias kubectl=" + plane.kubectlProgram());
      out.println("  ./vertlet agent");
      out.println("  kubectl get nodes --watch");
      out.println("It ends with Ctrl-C.");
      out.flush();
      ended.toCompletableFuture().join();
    } catch (ControlPlaneException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    }
  }
}
