package dev.vertlet.harness.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * kubectl with one kubeconfig.
 *
 * @param executable path of the program
 * @param kubeconfig cluster and credentials
 */
record Kubectl(String executable, Path kubeconfig) {
  private static final long TIMEOUT_SECONDS = 120;

  /** Runs kubectl and returns its standard output. */
  String run(List<String> arguments) {
    List<String> command =
        new ArrayList<>(List.of(executable, "--kubeconfig", kubeconfig.toString()));
    command.addAll(arguments);
    try {
      Path folder = Files.createTempDirectory("vertlet-kubectl-");
      try {
        return run(command, folder);
      } finally {
        DataDir.delete(folder);
      }
    } catch (IOException e) {
      throw new ControlPlaneException("cannot run " + executable, e);
    }
  }

  /** Runs a command with its output in files: an unread pipe would block the program. */
  private static String run(List<String> command, Path folder) throws IOException {
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    // ignore the user's kubectl preferences and discovery cached for another cluster on this port
    builder.environment().put("KUBERC", "off");
    builder.environment().put("KUBECACHEDIR", folder.resolve("cache").toString());
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      if (!ended || process.exitValue() != 0) {
        throw new ControlPlaneException(
            "%s: %s%n%s%s"
                .formatted(
                    String.join(" ", command),
                    ended
                        ? "exit code " + process.exitValue()
                        : "no end after " + TIMEOUT_SECONDS + " s",
                    Files.readString(errors),
                    Files.readString(output)));
      }
      return Files.readString(output);
    } catch (InterruptedException e) {
      throw ControlPlaneException.interrupted("running kubectl", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
