package dev.vertlet.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads {@code /proc}. Every method blocks. */
final class Proc {
  /** Variable by which a container's processes are found when their shim is dead. */
  static final String MARK = "VERTLET_CONTAINER_ID";

  private static final Path ROOT = Path.of("/proc");
  private static final int MOST_PASSES = 10;
  private static final int LONGEST_END_SECONDS = 10;

  private Proc() {}

  /** Identity of the running kernel, which changes with each boot. */
  static String bootId() throws IOException {
    return Files.readString(ROOT.resolve("sys/kernel/random/boot_id")).strip();
  }

  /** Size of a page of memory. */
  static long pageBytes() throws IOException {
    String field = "KernelPageSize:";
    try (var lines = Files.lines(ROOT.resolve("self/smaps"))) {
      return lines
          .filter(line -> line.startsWith(field))
          .findFirst()
          .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
          .orElse(4096L);
    }
  }

  /** User that this process runs as. */
  static long user() throws IOException {
    return ((Number) Files.getAttribute(ROOT.resolve("self"), "unix:uid")).longValue();
  }

  /** Primary group of this process. */
  static long group() throws IOException {
    return ((Number) Files.getAttribute(ROOT.resolve("self"), "unix:gid")).longValue();
  }

  /** Whether a process with this id runs that started at this time, in clock ticks since boot. */
  static boolean runs(long pid, long start) {
    ProcessStat stat = pid > 0 ? stat(pid) : null;
    return stat != null && stat.startTicks() == start && stat.state() != 'Z';
  }

  /** Reads one process; null if there is none. */
  static @Nullable ProcessStat stat(long pid) {
    try {
      return ProcessStat.parse(Files.readString(ROOT.resolve(Long.toString(pid)).resolve("stat")));
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** Ids of all processes. */
  static List<Long> pids() throws IOException {
    List<Long> all = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(ROOT, "[0-9]*")) {
      for (Path entry : entries) {
        all.add(Long.parseLong(entry.getFileName().toString()));
      }
    }
    return all;
  }

  /** Reads all processes that can be read. */
  static List<ProcessStat> all() throws IOException {
    List<ProcessStat> all = new ArrayList<>();
    for (long pid : pids()) {
      ProcessStat stat = stat(pid);
      if (stat != null) {
        all.add(stat);
      }
    }
    return all;
  }

  /**
   * Kills all processes that carry the mark of a container, and waits for their ends.
   *
   * @return how many there were when it began
   */
  static int killMarked(String containerId) throws IOException {
    byte[] mark = (MARK + "=" + containerId + "\0").getBytes(StandardCharsets.UTF_8);
    List<ProcessHandle> found = marked(mark);
    int first = found.size();
    // those that were started meanwhile are found in the next pass
    for (int i = 0; i < MOST_PASSES && !found.isEmpty(); i++) {
      found.forEach(ProcessHandle::destroyForcibly);
      found.forEach(Proc::awaitEnd);
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
    for (long pid : pids()) {
      if (marked(pid, mark)) {
        ProcessHandle.of(pid).ifPresent(found::add);
      }
    }
    return found;
  }

  private static boolean marked(long pid, byte[] mark) {
    byte[] environment;
    try {
      environment = Files.readAllBytes(ROOT.resolve(Long.toString(pid)).resolve("environ"));
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
