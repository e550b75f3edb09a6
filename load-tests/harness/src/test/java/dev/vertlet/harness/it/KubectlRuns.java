package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs one kubectl for one cluster; each run has a folder for its output. Not thread-safe. */
final class KubectlRuns {
  /** For commands that wait. */
  static final String LIMIT = "--timeout=" + Waits.LONG.toSeconds() + "s";

  /** For {@code input} of {@link #start}. */
  static final Path NOTHING = Path.of("/dev/null");

  private final Path program;
  private final Path kubeconfig;
  private final String namespace;
  private final Path dir;

  KubectlRuns(Path program, Path kubeconfig, String namespace, Path dir) {
    this.program = program;
    this.kubeconfig = kubeconfig;
    this.namespace = namespace;
    this.dir = dir;
  }

  /** A run that goes on. Its output is in {@code folder}. */
  record Run(Process process, Path folder) implements AutoCloseable {
    String out() throws IOException {
      return Files.readString(folder.resolve("out"));
    }

    String err() throws IOException {
      return Files.readString(folder.resolve("err"));
    }

    /** Waits for the end; for output that is no text. */
    int exitCode() throws InterruptedException {
      return Waits.exit(process);
    }

    Launcher.Outcome await() throws IOException, InterruptedException {
      return Launcher.await(process, folder);
    }

    @Override
    public void close() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }
  }

  /** The command line, for those who run it within something else. */
  List<String> command(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                program.toString(),
                "--kubeconfig",
                kubeconfig.toString(),
                "--namespace",
                namespace));
    command.addAll(List.of(arguments));
    return command;
  }

  Run start(Map<String, String> environment, Path input, String... arguments) throws IOException {
    return start(environment, input, command(arguments));
  }

  Run start(Map<String, String> environment, Path input, List<String> command) throws IOException {
    return start(environment, Redirect.from(input.toFile()), command);
  }

  /** A run whose input is what is written to its process. */
  Run startTyped(Map<String, String> environment, List<String> command) throws IOException {
    return start(environment, Redirect.PIPE, command);
  }

  private Run start(Map<String, String> environment, Redirect input, List<String> command)
      throws IOException {
    Path folder = Files.createTempDirectory(dir, "run-");
    ProcessBuilder builder = Launcher.process(folder, command).redirectInput(input);
    // neither what the user prefers for kubectl nor discovery of another cluster on this port
    builder.environment().put("KUBERC", "off");
    builder.environment().put("KUBECACHEDIR", dir.resolve("cache").toString());
    builder.environment().putAll(environment);
    return new Run(builder.start(), folder);
  }

  Run start(Wire wire, String... arguments) throws IOException {
    return start(wire.environment(), NOTHING, arguments);
  }

  Launcher.Outcome run(Wire wire, String... arguments) throws IOException, InterruptedException {
    return start(wire, arguments).await();
  }

  /** Runs a command that has to succeed. Returns its standard output. */
  String output(String... arguments) throws IOException, InterruptedException {
    Launcher.Outcome outcome = start(Map.of(), NOTHING, arguments).await();
    assertThat(outcome.exitCode()).as("%s", outcome.err()).isZero();
    return outcome.out();
  }

  /** A field of an object; a path is such as {@code {.status.phase}}. */
  String field(String kind, String name, String path) throws IOException, InterruptedException {
    return output("get", kind, name, "-o", "jsonpath=" + path);
  }

  /** Runs a command that has to fail. Returns its standard error. */
  String error(String... arguments) throws IOException, InterruptedException {
    Launcher.Outcome outcome = start(Map.of(), NOTHING, arguments).await();
    assertThat(outcome.exitCode()).as("%s", outcome.out()).isNotZero();
    return outcome.err();
  }
}
