package dev.vertlet.host.node;

import dev.vertlet.host.proc.ProcessStat;
import dev.vertlet.provider.node.NodeUsage.Supply;
import dev.vertlet.provider.node.ResourceStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measures the host through {@code /proc}. Blocks; calls must not overlap. */
public final class HostStats {
  private static final Path PROC = Path.of("/proc");

  /** Fields of a line of {@code /proc/net/dev} after its name: bytes and errors, both ways. */
  private static final int RX_BYTES = 0;

  private static final int RX_ERRORS = 2;
  private static final int TX_BYTES = 8;
  private static final int TX_ERRORS = 10;

  private @Nullable Instant measuredAt;
  private long cpuNanos;
  private @Nullable Long nanoCores;

  /**
   * Measurement of the host.
   *
   * @param memory null where the kernel does not say what is available
   */
  public record Measured(@Nullable Supply memory, ResourceStats stats) {}

  public Measured read(Instant now) throws IOException {
    Map<String, Long> memory = table(PROC.resolve("meminfo"));
    Map<String, Long> events = table(PROC.resolve("vmstat"));
    long total = memory.getOrDefault("MemTotal", 0L) * 1024;
    Long left = memory.get("MemAvailable");
    Long available = left == null ? null : Math.min(left * 1024, total);
    ResourceStats.Memory details =
        new ResourceStats.Memory(
            available == null ? null : total - available,
            total - memory.getOrDefault("MemFree", 0L) * 1024,
            bytes(memory.get("AnonPages")),
            events.get("pgfault"),
            events.get("pgmajfault"));
    Long swap = bytes(memory.get("SwapTotal"));
    Long swapFree = bytes(memory.get("SwapFree"));
    List<String> stat = Files.readAllLines(PROC.resolve("stat"));
    ResourceStats stats =
        new ResourceStats(
            bootTime(stat),
            cpu(stat, now),
            details,
            swap == null || swapFree == null
                ? null
                : new ResourceStats.Swap(swap - swapFree, swapFree),
            network());
    return new Measured(available == null ? null : new Supply(available, total), stats);
  }

  private static @Nullable Long bytes(@Nullable Long kibibytes) {
    return kibibytes == null ? null : kibibytes * 1024;
  }

  /** Reads lines of a name, an optional colon and a number. */
  private static Map<String, Long> table(Path file) throws IOException {
    Map<String, Long> values = new HashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split("[: ]+");
      if (words.length > 1 && words[1].chars().allMatch(Character::isDigit)) {
        values.put(words[0], Long.parseLong(words[1]));
      }
    }
    return values;
  }

  private static @Nullable Instant bootTime(List<String> stat) {
    for (String line : stat) {
      if (line.startsWith("btime ")) {
        return Instant.ofEpochSecond(Long.parseLong(line.substring("btime ".length()).strip()));
      }
    }
    return null;
  }

  private ResourceStats.Cpu cpu(List<String> stat, Instant now) {
    // cpu  user nice system idle iowait irq softirq steal …: guests are part of user and nice
    String[] fields = stat.get(0).split(" +");
    long ticks = 0;
    for (int i : new int[] {1, 2, 3, 6, 7, 8}) {
      ticks += i < fields.length ? Long.parseLong(fields[i]) : 0;
    }
    long used = ticks * ProcessStat.NANOS_OF_TICK;
    Instant before = measuredAt;
    long nanos = before == null ? 0 : Duration.between(before, now).toNanos();
    if (nanos > 0) {
      nanoCores = (long) (Math.max(0, used - cpuNanos) * 1e9 / nanos);
    }
    if (before == null || nanos > 0) {
      measuredAt = now;
      cpuNanos = used;
    }
    return new ResourceStats.Cpu(nanoCores, used);
  }

  private static ResourceStats.Network network() throws IOException {
    List<ResourceStats.Interface> all = new ArrayList<>();
    for (String line : Files.readAllLines(PROC.resolve("net/dev"))) {
      int end = line.indexOf(':');
      String name = end < 0 ? "" : line.substring(0, end).strip();
      if (name.isEmpty() || name.equals("lo")) {
        continue;
      }
      String[] fields = line.substring(end + 1).strip().split(" +");
      all.add(
          new ResourceStats.Interface(
              name,
              Long.parseLong(fields[RX_BYTES]),
              Long.parseLong(fields[RX_ERRORS]),
              Long.parseLong(fields[TX_BYTES]),
              Long.parseLong(fields[TX_ERRORS])));
    }
    return new ResourceStats.Network(defaultInterface(), all);
  }

  /** The interface of the default route; empty without one. */
  private static String defaultInterface() throws IOException {
    for (String line : Files.readAllLines(PROC.resolve("net/route"))) {
      String[] fields = line.split("\t");
      if (fields.length > 1 && fields[1].equals("00000000")) {
        return fields[0];
      }
    }
    return "";
  }
}
