package dev.vertlet.process;

import dev.vertlet.host.proc.Proc;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Finds processes of containers by a variable of their environment. */
public final class MarkedProcesses {
  /** Variable by which a container's processes are found when their shim is dead. */
  static final String MARK = "VERTLET_CONTAINER_ID";

  private static final Path PROC = Path.of("/proc");
  private static final int MOST_PASSES = 10;
  private static final int LONGEST_END_SECONDS = 10;

  private MarkedProcesses() {}

  /**
   * Kills all processes that carry the mark of a container, and waits for their ends. Blocks.
   *
   * @return how many there were when it began
   */
  public static int kill(String containerId) throws IOException {
    byte[] mark = (MARK + "=" + containerId + "\0").getBytes(StandardCharsets.UTF_8);
    List<ProcessHandle> found = marked(mark);
    int first = found.size();
    // those that were started meanwhile are found in the next pass
    for (int i = 0; i < MOST_PASSES && !found.isEmpty(); i++) {
      found.forEach(ProcessHandle::destroyForcibly);
      found.forEach(MarkedProcesses::awaitEnd);
      found = marked(mark);
    }
    return first;
  }

  private static void awaitEnd(ProcessHandle process) {
    try {
      ProcessHandle unused = process.onExit().get(LONGEST_END_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // it cannot be killed now; the next pass finds it
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<ProcessHandle> marked(byte[] mark) throws IOException {
    List<ProcessHandle> found = new ArrayList<>();
    for (long pid : Proc.pids()) {
      if (marked(pid, mark)) {
        ProcessHandle.of(pid).ifPresent(found::add);
      }
    }
    return found;
  }

  private static boolean marked(long pid, byte[] mark) {
    byte[] environment;
    try {
      environment = Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve("environ"));
    } catch (IOException e) {
      return false; // it has ended, or belongs to another user, as no container does
    }
    for (int at = 0; at + mark.length <= environment.length; at = next(environment, at)) {
      if (Arrays.equals(environment, at, at + mark.length, mark, 0, mark.length)) {
        return true;
      }
    }
    return false;
  }

  private static int next(byte[] environment, int at) {
    int end = at;
    while (end < environment.length && environment[end] != 0) {
      end++;
    }
    return end + 1;
  }
}
