package dev.vertlet.cri.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Paths below {@code /proc} and {@code /sys} that containers do not see or may not write.
 *
 * @param masked paths that appear empty
 * @param readOnly paths that cannot be written
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/securitycontext/util.go">
 *     Kubernetes 1.36.3</a>
 */
record MaskedPaths(List<String> masked, List<String> readOnly) {
  private static final MaskedPaths UNMASKED = new MaskedPaths(List.of(), List.of());

  private static final List<String> ALWAYS =
      List.of(
          "/proc/asound",
          "/proc/acpi",
          "/proc/interrupts",
          "/proc/kcore",
          "/proc/keys",
          "/proc/latency_stats",
          "/proc/timer_list",
          "/proc/timer_stats",
          "/proc/sched_debug",
          "/proc/scsi",
          "/sys/firmware",
          "/sys/devices/virtual/powercap");

  private static final List<String> READ_ONLY =
      List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

  private static final Path CPUS = Path.of("/sys/devices/system/cpu");

  MaskedPaths {
    masked = List.copyOf(masked);
    readOnly = List.copyOf(readOnly);
  }

  /** The defaults on this host; blocks. */
  static MaskedPaths ofHost() {
    List<String> masked = new ArrayList<>(ALWAYS);
    try {
      for (int cpu : possible(Files.readString(CPUS.resolve("possible")).strip())) {
        Path path = CPUS.resolve("cpu" + cpu).resolve("thermal_throttle");
        if (Files.exists(path)) {
          masked.add(path.toString());
        }
      }
    } catch (IOException | NumberFormatException e) {
      // a host without this file has no such counters
    }
    return new MaskedPaths(masked, READ_ONLY);
  }

  /** Reads numbers such as {@code 0-3,8}. */
  static List<Integer> possible(String text) {
    List<Integer> numbers = new ArrayList<>();
    for (String range : text.split(",", -1)) {
      int dash = range.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
      for (int i = first; i <= last; i++) {
        numbers.add(i);
      }
    }
    return numbers;
  }

  /**
   * Paths of a container.
   *
   * @param procMount {@code Unmasked}, {@code Default} or empty
   */
  MaskedPaths of(String procMount) {
    return procMount.equals("Unmasked") ? UNMASKED : this;
  }
}
