package dev.vertlet.harness.subject;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.cli.FailedException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The example back end for whole pods, in its own process, whose containers are processes of this
 * machine. It ends with the load test. Its methods block and are for one thread at a time, {@link
 * #requireAlive} excepted.
 */
final class BackendProcess {
  private static final String FILE = "docs/examples/remote/pods.py";
  private static final String PROGRAM = "python3";

  /** Time limit for the end of the back end and of the processes of all its pods. */
  private static final int STOP_SECONDS = 15;

  private final CommandLine command;
  private final Path log;
  private final URI url;

  /** Null while it does not run. Read by threads that check whether it is alive. */
  private volatile @Nullable GuardedProcess process;

  BackendProcess(SubjectEnvironment where) {
    int port = LoopbackPorts.next();
    this.url = URI.create("http://127.0.0.1:" + port);
    this.log = where.dir().file("backend.log");
    this.command =
        new CommandLine(command(new Installed(where.environment()), port), where.environment());
  }

  /**
   * Command line of the back end.
   *
   * @throws FailedException when the program or Python is missing
   */
  static List<String> command(Installed installed, int port) {
    Path file = installed.home().resolve(FILE);
    Path program =
        installed
            .program(PROGRAM)
            .orElseThrow(
                () ->
                    new FailedException(
                        "the back end needs %s, which is not on PATH".formatted(PROGRAM)));
    if (!Files.isReadable(file)) {
      throw new FailedException(
          "the back end %s is not there; this subject needs a checkout of vertlet".formatted(file));
    }
    return List.of(program.toString(), file.toString(), "--port", Integer.toString(port));
  }

  URI url() {
    return url;
  }

  /** Starts it, unless it runs. It may not listen yet on return. */
  void start() {
    if (process == null) {
      process = GuardedProcess.start(command, log, GuardedProcess.Last.TERM);
    }
  }

  /**
   * @throws FailedException when it has ended unexpectedly, with its output
   */
  void requireAlive() {
    GuardedProcess running = process;
    if (running != null && !running.alive()) {
      throw new FailedException(
          "the back end ended with exit code %d: %s".formatted(running.exitCode(), output()));
    }
  }

  private String output() {
    try {
      return Files.readString(log).strip();
    } catch (IOException e) {
      return "its log cannot be read: " + e.getMessage();
    }
  }

  /** Ends it and its pods' processes. */
  void close() throws InterruptedException {
    GuardedProcess running = process;
    process = null;
    if (running != null && !running.terminate(STOP_SECONDS)) {
      running.kill();
    }
  }
}
