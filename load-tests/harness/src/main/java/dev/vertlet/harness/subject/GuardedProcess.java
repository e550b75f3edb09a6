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
 * A process that does not outlive this JVM, whatever ends it, SIGKILL included: a shell between the
 * two waits for the end of its standard input, which the kernel closes with the JVM, and then kills
 * the process and all that it has started. Ctrl-C reaches the JVM alone, which ends the process
 * when it is time to.
 */
final class GuardedProcess {
  /**
   * Tells the process id, then waits. Where there is {@code setsid}, the process leads a group that
   * is killed as a whole. The shell is its parent, so its id stays its own until the shell has
   * waited for it; a signal that the shell survives only interrupts the waiting.
   */
  private static final String SCRIPT =
      """
      log=$1
      shift
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
        kill -9 "$target"
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

  private final Process shell;
  private final Optional<ProcessHandle> process;

  private GuardedProcess(Process shell, Optional<ProcessHandle> process) {
    this.shell = shell;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param log to which its output is added
   * @throws FailedException when it cannot be started
   */
  static GuardedProcess start(CommandLine command, Path log) {
    List<String> words =
        new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "vertlet-subject", log.toString()));
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

  /** Empty when it has ended already. */
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

  /** Of one that is not alive. */
  int exitCode() {
    return shell.exitValue();
  }

  /** Empty when it has ended. */
  Optional<ProcessHandle> handle() {
    return process.filter(ProcessHandle::isAlive);
  }

  /** Asks it to end; returns whether it did. */
  boolean terminate(int seconds) throws InterruptedException {
    handle().ifPresent(ProcessHandle::destroy);
    return shell.waitFor(seconds, SECONDS);
  }

  /** Ends it and all that it has started. */
  void kill() throws InterruptedException {
    try {
      shell.getOutputStream().close();
    } catch (IOException gone) {
      // which is what is wanted
    }
    if (!shell.waitFor(KILL_SECONDS, SECONDS)) {
      handle().ifPresent(ProcessHandle::destroyForcibly);
      shell.destroyForcibly().waitFor();
    }
  }
}
