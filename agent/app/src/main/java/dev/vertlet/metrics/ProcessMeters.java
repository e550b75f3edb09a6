package dev.vertlet.metrics;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Standard process metrics of Prometheus' client libraries. Values are read on each scrape, on its
 * thread; a value that the machine does not provide is NaN.
 *
 * @see <a
 *     href="https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics">Process
 *     metrics</a>
 */
final class ProcessMeters {
  private static final Metric CPU =
      Metric.counter(
          "process_cpu_seconds_total", "seconds", "of processor time that the process has used");
  private static final Metric START =
      Metric.gauge(
          "process_start_time_seconds", "seconds", "since 1970 at which the process started");
  private static final Metric RESIDENT =
      Metric.gauge(
          "process_resident_memory_bytes",
          "bytes",
          "of memory that the process has: heap, buffers, code and classes");
  private static final Metric OPEN_FILES =
      Metric.gauge("process_open_fds", "file descriptors", "that are open");
  private static final Metric MOST_FILES =
      Metric.gauge("process_max_fds", "file descriptors", "that may be open at once");
  private static final Metric MEMORY_LIMIT =
      Metric.gauge(
          "vertlet_memory_limit_bytes",
          "bytes",
          "of memory that the process may use: its container's limit, or all of its machine's");

  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final double MILLIS = Duration.ofSeconds(1).toMillis();

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Pattern KIBIBYTES = Pattern.compile("VmRSS:\\s+([0-9]+) kB");
  private static final double KIB = 1024;

  private ProcessMeters() {}

  static void bindTo(MeterRegistry registry) {
    double start = ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS;
    START.gauge(registry, () -> start);
    RESIDENT.gauge(registry, ProcessMeters::resident);
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      CPU.counter(registry, system, machine -> machine.getProcessCpuTime() / NANOS);
      MEMORY_LIMIT.gauge(registry, system::getTotalMemorySize);
    }
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      OPEN_FILES.gauge(registry, unix::getOpenFileDescriptorCount);
      MOST_FILES.gauge(registry, unix::getMaxFileDescriptorCount);
    }
  }

  private static double resident() {
    try {
      Matcher found = KIBIBYTES.matcher(Files.readString(STATUS));
      return found.find() ? Long.parseLong(found.group(1)) * KIB : Double.NaN;
    } catch (IOException e) {
      return Double.NaN;
    }
  }
}
