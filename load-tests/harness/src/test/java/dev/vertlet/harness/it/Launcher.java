package dev.vertlet.harness.it;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs {@code ./vertlet} of this checkout as users do. */
final class Launcher {
  private static final int PATIENCE_SECONDS = 240;

  private Launcher() {}

  /**
   * What a command came to.
   *
   * @param out its standard output
   * @param err its standard error
   */
  record Outcome(int exitCode, String out, String err) {
    String lastLine() {
      return out.lines().reduce("", (before, line) -> line);
    }
  }

  /** Starts a command; its output goes to files of {@code dir}. */
  static Process start(Path dir, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of("..", "..", "vertlet").toAbsolutePath().normalize().toString());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectOutput(dir.resolve("out").toFile())
        .redirectError(dir.resolve("err").toFile())
        .start();
  }

  /** Waits until a command that was started ends. */
  static Outcome await(Process process, Path dir) throws IOException, InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("does not end: " + Files.readString(dir.resolve("err")));
    }
    return new Outcome(
        process.exitValue(),
        Files.readString(dir.resolve("out")),
        Files.readString(dir.resolve("err")));
  }

  /** Runs a command to its end. */
  static Outcome run(Path dir, String... arguments) throws IOException, InterruptedException {
    return await(start(dir, arguments), dir);
  }
}
