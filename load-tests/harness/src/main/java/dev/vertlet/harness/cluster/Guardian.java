package dev.vertlet.harness.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Ends the control plane of a JVM that has died, even of SIGKILL. It is a shell that waits for the
 * end of its standard input, which the kernel closes with the JVM, and then kills the processes
 * recorded in the data directory. It kills a process only if its arguments name that directory, so
 * a reused id is safe.
 */
final class Guardian implements AutoCloseable {
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      cat > /dev/null
      for file in "$1"/*.pid; do
        [ -f "$file" ] || continue
        pid=$(cat "$file")
        { cat "/proc/$pid/cmdline" || ps -o command= -p "$pid"; } 2> /dev/null | grep -qaF "$1" && kill -9 "$pid"
        rm -f "$file"
      done
      [ "$2" = temporary ] && rm -rf "$1"
      exit 0
      """;

  private static final Duration REAPING = Duration.ofSeconds(10);

  private final Process process;

  private Guardian(Process process) {
    this.process = process;
  }

  /** Starts a guardian of a data directory. */
  static Guardian over(DataDir dir) throws IOException {
    return new Guardian(start(dir.root(), dir.isTemporary()));
  }

  /** Kills the processes that an earlier JVM left behind in a directory. */
  static void reap(Path dir) throws IOException {
    new Guardian(start(dir, false)).close();
  }

  private static Process start(Path dir, boolean temporary) throws IOException {
    return new ProcessBuilder(
            "/bin/sh",
            "-c",
            SCRIPT,
            "vertlet-guardian",
            dir.toString(),
            temporary ? "temporary" : "kept")
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Kills the processes now, as at the end of the JVM; returns when they are gone. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(REAPING.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      throw ControlPlaneException.interrupted("stopping a control plane", e);
    }
  }
}
