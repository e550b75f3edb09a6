package dev.vertlet.harness.subject;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.cli.FailedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Process that does not outlive this JVM, even after SIGKILL. A shell between the two waits for the
 * end of its standard input, which the kernel closes with the JVM, and then ends the process and
 * its descendants. Ctrl-C reaches only the JVM, which ends the process at the right time.
 */
final class GuardedProcess {
  /**
   * Prints the process id, then waits. With {@code setsid}, the process leads a group that is
   * killed as a whole. The shell is the parent, so the id is not reused until the shell has waited
   * for the process; a signal that the shell survives only interrupts its wait. After the process
   * has ended, nothing of its group is left, whatever the signal.
   */
  private static final String SCRIPT =
      """
      log=$1
      last=$2
      shift 2
      exec 3<&0
      trap : INT TERM HUP
      if command -v setsid > /dev/null 2>&1; then
        setsid "$@" < /dev/null >> "$log" 2>&1 3<&- &
        target=-$!
      else
        "$@" < /dev/null >> "$log" 2>&1 3<&- &
        target=$!
      fi
      pid=$!
      echo "$pid"
      {
        trap '' INT TERM HUP
        cat <&3 > /dev/null
        kill "-$last" "$target"
      } > /dev/null 2>&1 &
      guard=$!
      while :; do
        wait "$pid"
        code=$?
        kill -0 "$pid" 2> /dev/null || break
      done
      kill -9 "$guard"
      kill -9 "$target" 2> /dev/null
      exit "$code"
      """;

  private static final int KILL_SECONDS = 10;

  /** Signal that ends the process when the JVM is gone. */
  enum Last {
    KILL,

    /** For a program with children in groups of their own, which it ends itself. */
    TERM
  }

  private final Process shell;
  private final Optional<ProcessHandle> process;

  private GuardedProcess(Process shell, Optional<ProcessHandle> process) {
    this.shell = shell;
    this.process = process;
  }

  /** Starts a process that is killed when the JVM is gone. */
  static GuardedProcess start(CommandLine command, Path log) {
    return start(command, log, Last.KILL);
  }

  /**
   * Starts a process.
   *
   * @param log file to which its output is appended
   * @throws FailedException when it cannot be started
   */
  static GuardedProcess start(CommandLine command, Path log, Last last) {
    List<String> words =
        new ArrayList<>(
            List.of("/bin/sh", "-c", SCRIPT, "vertlet-subject", log.toString(), last.name()));
    words.addAll(command.words());
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().putAll(command.environment());
    try {
      Process shell = builder.start();
      return new GuardedProcess(shell, handle(shell));
    } catch (IOException e) {
      throw new FailedException(
          "cannot start %s: %s".formatted(command.words().get(0), e.getMessage()), e);
    }
  }

  /** Reads the process id; empty when the process has ended already. */
  private static Optional<ProcessHandle> handle(Process shell) throws IOException {
    BufferedReader reader = shell.inputReader(US_ASCII);
    String pid = reader.readLine();
    if (pid == null) {
      throw new IOException("no shell to run it");
    }
    return ProcessHandle.of(Long.parseLong(pid));
  }

  boolean alive() {
    return shell.isAlive();
  }

  /** Exit code of a process that has ended. */
  int exitCode() {
    return shell.exitValue();
  }

  /** Handle of the process; empty when it has ended. */
  Optional<ProcessHandle> handle() {
    return process.filter(ProcessHandle::isAlive);
  }

  /** Sends SIGTERM and waits; returns whether the process has ended. */
  boolean terminate(int seconds) throws InterruptedException {
    handle().ifPresent(ProcessHandle::destroy);
    return shell.waitFor(seconds, SECONDS);
  }

  /** Kills the process and its descendants. */
  void kill() throws InterruptedException {
    try {
      shell.getOutputStream().close();
    } catch (IOException gone) {
      // the shell has ended already
    }
    if (!shell.waitFor(KILL_SECONDS, SECONDS)) {
      handle().ifPresent(ProcessHandle::destroyForcibly);
      shell.destroyForcibly().waitFor();
    }
  }
}
