package dev.vertlet.harness.it;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Runs {@code ./vertlet} of this checkout as users do. */
final class Launcher {
  /** A load test works for minutes. */
  private static final Duration LIMIT = Waits.LONG.multipliedBy(4);

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
    return process(dir, command(arguments)).start();
  }

  /** As {@link #start}, also where a signal is ignored by whoever runs the tests, as nohup does. */
  static Process startHearing(String signal, Path dir, String... arguments) throws IOException {
    List<String> command = command(arguments);
    command.addAll(0, List.of("env", "--default-signal=" + signal));
    return process(dir, command).start();
  }

  private static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of("..", "..", "vertlet").toAbsolutePath().normalize().toString());
    command.addAll(List.of(arguments));
    return command;
  }

  /**
   * The port that a program says it listens on, once it does; ends it when it does not. It was
   * started by {@link #process}.
   *
   * @param listens what it says, with the port as its first group
   */
  static int port(Process program, Path dir, Pattern listens) throws IOException {
    try {
      Awaitility.await()
          .failFast(() -> assertThat(program.isAlive()).as(told(dir)).isTrue())
          .until(() -> listens.matcher(told(dir)).find());
    } catch (RuntimeException | AssertionError e) {
      program.destroyForcibly();
      throw e;
    }
    Matcher found = listens.matcher(told(dir));
    assertThat(found.find()).isTrue();
    return Integer.parseInt(found.group(1));
  }

  private static String told(Path dir) throws IOException {
    return Files.readString(dir.resolve("err")) + Files.readString(dir.resolve("out"));
  }

  /** Starts a command that serves, and waits until it does; ends it when it does not. */
  static Process serve(Path dir, String... arguments) throws IOException {
    return serve(dir, Map.of(), arguments);
  }

  /** As above, with these variables besides. */
  static Process serve(Path dir, Map<String, String> environment, String... arguments)
      throws IOException {
    ProcessBuilder builder = process(dir, command(arguments));
    builder.environment().putAll(environment);
    Process server = builder.start();
    try {
      Awaitility.await().until(() -> Files.readString(dir.resolve("out")).contains("Ctrl-C"));
      return server;
    } catch (ConditionTimeoutException e) {
      server.destroyForcibly();
      throw new AssertionError("does not serve: " + Files.readString(dir.resolve("err")), e);
    }
  }

  /** Where a command that serves says that its kubeconfig is. */
  static Path kubeconfig(Path dir) throws IOException {
    return Files.readString(dir.resolve("out"))
        .lines()
        .filter(line -> line.contains("KUBECONFIG="))
        .map(line -> Path.of(line.substring(line.indexOf('=') + 1)))
        .findFirst()
        .orElseThrow();
  }

  /** A process of any program whose output goes to files of {@code dir}. */
  static ProcessBuilder process(Path dir, List<String> command) {
    return new ProcessBuilder(command)
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectOutput(dir.resolve("out").toFile())
        .redirectError(dir.resolve("err").toFile());
  }

  /** Waits until a command that was started ends. */
  static Outcome await(Process process, Path dir) throws IOException, InterruptedException {
    if (!process.waitFor(LIMIT.toMillis(), MILLISECONDS)) {
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
