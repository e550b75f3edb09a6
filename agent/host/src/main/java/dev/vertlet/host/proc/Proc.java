package dev.vertlet.host.proc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code /proc}. Every method blocks. */
public final class Proc {
  private static final Path ROOT = Path.of("/proc");

  private static final int LONGEST_NUMBER = 64;

  private Proc() {}

  /** Identity of the running kernel, which changes with each boot. */
  public static String bootId() throws IOException {
    return Files.readString(ROOT.resolve("sys/kernel/random/boot_id")).strip();
  }

  /** Size of a page of memory. */
  public static long pageBytes() throws IOException {
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
  public static long user() throws IOException {
    return ((Number) Files.getAttribute(ROOT.resolve("self"), "unix:uid")).longValue();
  }

  /** Primary group of this process. */
  public static long group() throws IOException {
    return ((Number) Files.getAttribute(ROOT.resolve("self"), "unix:gid")).longValue();
  }

  /** Whether a process with this id runs that started at this time, in clock ticks since boot. */
  public static boolean runs(long pid, long start) {
    ProcessStat stat = pid > 0 ? stat(pid) : null;
    return stat != null && stat.startTicks() == start && stat.state() != 'Z';
  }

  /** Reads one process; null if there is none. */
  public static @Nullable ProcessStat stat(long pid) {
    try {
      return ProcessStat.parse(Files.readString(ROOT.resolve(Long.toString(pid)).resolve("stat")));
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** Ids of all processes. */
  public static List<Long> pids() throws IOException {
    List<Long> all = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(ROOT, "[0-9]*")) {
      for (Path entry : entries) {
        all.add(Long.parseLong(entry.getFileName().toString()));
      }
    }
    return all;
  }

  /** Reads all processes that can be read. */
  public static List<ProcessStat> all() throws IOException {
    List<ProcessStat> all = new ArrayList<>();
    for (long pid : pids()) {
      ProcessStat stat = stat(pid);
      if (stat != null) {
        all.add(stat);
      }
    }
    return all;
  }

  /** Most processes and threads that the kernel has at a time. */
  public static long mostPids() throws IOException {
    // the kernel gives such a number to the first read alone, however small that is
    try (InputStream file = Files.newInputStream(ROOT.resolve("sys/kernel/pid_max"))) {
      byte[] digits = file.readNBytes(LONGEST_NUMBER);
      return Long.parseLong(new String(digits, StandardCharsets.US_ASCII).strip());
    }
  }
}
