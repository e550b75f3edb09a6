package dev.vertlet.harness.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What processes have used so far.
 *
 * @param cpu user and system time of all threads
 * @param residentMiB resident memory now; 0 where the system does not tell
 * @param peakMiB the most it ever was
 */
public record ProcessUsage(Duration cpu, double residentMiB, double peakMiB) {
  /** Of nothing. */
  public static final ProcessUsage NONE = new ProcessUsage(Duration.ZERO, 0, 0);

  /** What Linux counts CPU time in for others, whatever it does inside: USER_HZ is 100. */
  private static final Duration TICK = Duration.ofMillis(10);

  /** Positions of cutime and cstime after the name; see proc_pid_stat(5), fields 16 and 17. */
  private static final int ENDED_USER_TICKS = 13;

  private static final int ENDED_SYSTEM_TICKS = 14;

  private static final double KIB_PER_MIB = 1024;
  private static final double NANOS_PER_MILLI = 1e6;

  /** Of a process that runs. Reads files; not for event loops. */
  public static ProcessUsage of(ProcessHandle process) {
    String status = read(process.pid(), "status");
    return new ProcessUsage(
        process.info().totalCpuDuration().orElse(Duration.ZERO),
        kibibytes(status, "VmRSS") / KIB_PER_MIB,
        kibibytes(status, "VmHWM") / KIB_PER_MIB);
  }

  /** Of a process and those that it has started, together; of what has ended, the CPU time. */
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

  /** CPU time of children that a process has waited for, by the text of its {@code stat} file. */
  static Duration cpuOfEnded(String stat) {
    // the name, in parentheses, may have spaces and parentheses of its own
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

  /** Of a process that took the place of this one. */
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

  /** The number of a line such as {@code VmRSS: 1234 kB}; 0 when there is none. */
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
