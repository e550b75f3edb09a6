package dev.vertlet.harness.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a process has used so far.
 *
 * @param cpu user and system time of all its threads
 * @param residentMiB resident memory now; 0 where the system does not tell
 * @param peakMiB the most it ever was
 */
public record ProcessUsage(Duration cpu, double residentMiB, double peakMiB) {
  private static final double KIB_PER_MIB = 1024;

  /** Of a process that runs. Reads files; not for event loops. */
  public static ProcessUsage of(ProcessHandle process) {
    String status = status(process.pid());
    return new ProcessUsage(
        process.info().totalCpuDuration().orElse(Duration.ZERO),
        kibibytes(status, "VmRSS") / KIB_PER_MIB,
        kibibytes(status, "VmHWM") / KIB_PER_MIB);
  }

  private static String status(long pid) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), "status"));
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
