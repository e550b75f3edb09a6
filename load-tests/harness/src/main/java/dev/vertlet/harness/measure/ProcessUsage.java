package dev.vertlet.harness.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Resource usage of processes so far.
 *
 * @param cpu user and system time of all threads
 * @param residentMiB resident memory now; 0 if the system does not report it
 * @param peakMiB highest resident memory so far
 */
public record ProcessUsage(Duration cpu, double residentMiB, double peakMiB) {
  /** No usage. */
  public static final ProcessUsage NONE = new ProcessUsage(Duration.ZERO, 0, 0);

  /** Unit of CPU time in /proc, whatever the kernel uses internally: USER_HZ is 100. */
  private static final Duration TICK = Duration.ofMillis(10);

  /** Positions of cutime and cstime after the name; see proc_pid_stat(5), fields 16 and 17. */
  private static final int ENDED_USER_TICKS = 13;

  private static final int ENDED_SYSTEM_TICKS = 14;

  private static final double KIB_PER_MIB = 1024;
  private static final double NANOS_PER_MILLI = 1e6;

  /** Usage of a running process. Reads files; not for event loops. */
  public static ProcessUsage of(ProcessHandle process) {
    String status = read(process.pid(), "status");
    return new ProcessUsage(
        process.info().totalCpuDuration().orElse(Duration.ZERO),
        kibibytes(status, "VmRSS") / KIB_PER_MIB,
        kibibytes(status, "VmHWM") / KIB_PER_MIB);
  }

  /** Usage of a process and its descendants; of ended descendants, only the CPU time. */
  public static ProcessUsage ofTree(ProcessHandle leader) {
    return leader
        .descendants()
        .map(ProcessUsage::withEnded)
        .reduce(withEnded(leader), ProcessUsage::beside);
  }

  private static ProcessUsage withEnded(ProcessHandle process) {
    ProcessUsage own = of(process);
    return new ProcessUsage(
        own.cpu.plus(cpuOfEnded(read(process.pid(), "stat"))), own.residentMiB, own.peakMiB);
  }

  /** CPU time of a process's waited-for children, from the text of its {@code stat} file. */
  static Duration cpuOfEnded(String stat) {
    // the name, in parentheses, may contain spaces and parentheses
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
    return fields.length <= ENDED_SYSTEM_TICKS
        ? Duration.ZERO
        : TICK.multipliedBy(
            Long.parseLong(fields[ENDED_USER_TICKS]) + Long.parseLong(fields[ENDED_SYSTEM_TICKS]));
  }

  private ProcessUsage beside(ProcessUsage other) {
    return new ProcessUsage(
        cpu.plus(other.cpu), residentMiB + other.residentMiB, peakMiB + other.peakMiB);
  }

  /** Usage of this process followed by that of its successor. */
  public ProcessUsage then(ProcessUsage successor) {
    return new ProcessUsage(
        cpu.plus(successor.cpu), successor.residentMiB, Math.max(peakMiB, successor.peakMiB));
  }

  public double cpuMillis() {
    return cpu.toNanos() / NANOS_PER_MILLI;
  }

  private static String read(long pid, String file) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), file));
    } catch (IOException notLinuxOrGone) {
      return "";
    }
  }

  /** Number in a line such as {@code VmRSS: 1234 kB}; 0 when there is none. */
  static long kibibytes(String status, String key) {
    return status
        .lines()
        .filter(line -> line.startsWith(key + ":"))
        .map(line -> line.replaceAll("\\D", ""))
        .filter(digits -> !digits.isEmpty())
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }
}
