package dev.vertlet.harness.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Process of one program of a control plane, with a log and a pid file. */
final class PlaneProcess {
  /**
   * Shell command that writes its id and then becomes the program, so the id is on disk before
   * there is a process to orphan.
   */
  private static final String RECORD_ID_AND_RUN = "echo $$ > \"$0\" && exec \"$@\"";

  private static final int TAIL_LINES = 25;

  private final String name;
  private final Process process;
  private final Path log;
  private final Path pidFile;

  private PlaneProcess(String name, Process process, Path log, Path pidFile) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.pidFile = pidFile;
  }

  /**
   * Starts a program and appends its output to its log.
   *
   * @param command path and arguments of the program
   */
  static PlaneProcess start(String name, List<String> command, DataDir dir) throws IOException {
    Path log = dir.log(name);
    Path pidFile = dir.pid(name);
    List<String> line =
        new ArrayList<>(List.of("/bin/sh", "-c", RECORD_ID_AND_RUN, pidFile.toString()));
    line.addAll(command);
    Process process =
        new ProcessBuilder(line)
            .directory(dir.root().toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    process.getOutputStream().close();
    return new PlaneProcess(name, process, log, pidFile);
  }

  String name() {
    return name;
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Completes when the process has ended, for whatever reason. */
  CompletableFuture<EndedProgram> ended() {
    return process.onExit().thenApply(gone -> new EndedProgram(name, gone.exitValue(), log));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for the end of the process up to the limit; returns whether it has ended. */
  boolean waitFor(Duration atMost) {
    try {
      return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw ControlPlaneException.interrupted("waiting for " + name, e);
    }
  }

  /** Sends SIGTERM, and SIGKILL after the grace period. */
  void terminate(Duration grace) {
    process.destroy();
    if (!waitFor(grace)) {
      process.destroyForcibly();
    }
    forget();
  }

  /** Sends SIGKILL and waits for the end. */
  void kill() {
    process.destroyForcibly();
    forget();
  }

  /** Sends SIGKILL without waiting, so that the end of the JVM is not delayed. */
  void killWithoutWaiting() {
    process.destroyForcibly();
  }

  private void forget() {
    process.onExit().join();
    try {
      Files.deleteIfExists(pidFile);
    } catch (IOException e) {
      throw new ControlPlaneException("cannot delete " + pidFile, e);
    }
  }

  /** Last lines of the log, under a heading. */
  String tail() {
    List<String> lines;
    try {
      lines = Files.readAllLines(log);
    } catch (IOException e) {
      lines = List.of("(unreadable: " + e.getMessage() + ")");
    }
    List<String> last = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
    return "--- end of %s%n%s".formatted(log, String.join("\n", last));
  }
}
