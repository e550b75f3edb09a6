package dev.vertlet.harness.command;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.cluster.ControlPlane;
import dev.vertlet.harness.cluster.ControlPlaneException;
import dev.vertlet.harness.cluster.ControlPlaneOptions;
import dev.vertlet.harness.cluster.EndedProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code vertlet control-plane}: runs a real Kubernetes control plane without machines. */
@Command(
    name = "control-plane",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a real Kubernetes control plane on loopback until SIGTERM or SIGINT.",
      "Takes the binaries of KUBEBUILDER_ASSETS, else builds them with Go 1.26 or newer: the first time takes minutes."
    })
final class ControlPlaneCommand implements Runnable {
  /** Time for Ctrl-C, which also ends the programs, to reach this process, too. */
  private static final int CTRL_C_SECONDS = 1;

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
      serve(plane);
    } catch (ControlPlaneException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Waits for the end of the command.
   *
   * @throws FailedException when a program ends before
   */
  private void serve(ControlPlane plane) {
    CompletableFuture<Void> wanted = ended.toCompletableFuture();
    CompletableFuture<EndedProgram> program = plane.endedByItself().toCompletableFuture();
    CompletableFuture.anyOf(wanted, program).join();
    if (!wanted.isDone()) {
      wanted.copy().completeOnTimeout(null, CTRL_C_SECONDS, SECONDS).join();
    }
    if (!wanted.isDone()) {
      throw broken(program.join());
    }
  }

  private FailedException broken(EndedProgram program) {
    return new FailedException(
        "%s has ended with exit code %d, and the control plane with it; its log is %s"
            .formatted(program.name(), program.exitCode(), kept(program.log())));
  }

  /** Copies a log out of a temporary directory, which is deleted with the control plane. */
  private Path kept(Path log) {
    if (dir != null) {
      return log;
    }
    try {
      Path copy = Files.createTempFile("vertlet-control-plane-", "-" + log.getFileName());
      return Files.copy(log, copy, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new FailedException("cannot keep the log %s: %s".formatted(log, e.getMessage()), e);
    }
  }
}
