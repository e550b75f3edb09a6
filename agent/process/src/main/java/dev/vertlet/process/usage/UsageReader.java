package dev.vertlet.process.usage;

import dev.vertlet.host.logs.LogSegments;
import dev.vertlet.host.node.HostStats;
import dev.vertlet.host.proc.Proc;
import dev.vertlet.host.proc.ProcessStat;
import dev.vertlet.process.shim.ShimState;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import dev.vertlet.provider.node.ResourceStats;
import dev.vertlet.provider.node.ResourceStats.Cpu;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures the host and containers through {@code /proc}. Blocks. Memory is the processes' resident
 * memory: pages that two of them share count twice.
 */
public final class UsageReader {
  private final Path disk;
  private final HostStats host = new HostStats();
  private final Map<String, Sample> samples = new HashMap<>();

  public UsageReader(Path disk) {
    this.disk = disk;
  }

  /** A running container. */
  public record Target(String podUid, String container, Path directory, ShimState shim) {}

  private record Sample(Instant at, long cpuNanos, long nanoCores) {}

  /** What one container's processes use. */
  private record Tree(long bytes, long cpuNanos, long processes) {}

  /** Measures; calls must not overlap. */
  public synchronized NodeUsage read(List<Target> targets, Instant now) throws IOException {
    Map<Long, List<ProcessStat>> children = new HashMap<>();
    Map<Long, ProcessStat> byPid = new HashMap<>();
    for (ProcessStat process : Proc.all()) {
      children.computeIfAbsent(process.parent(), pid -> new ArrayList<>()).add(process);
      byPid.put(process.pid(), process);
    }
    long pageBytes = Proc.pageBytes();
    Map<String, List<ContainerUsage>> containers = new HashMap<>();
    Map<String, Long> processes = new HashMap<>();
    for (Target target : targets) {
      ProcessStat shim = byPid.get(target.shim().shim());
      if (shim == null || shim.startTicks() != target.shim().shimStart()) {
        continue;
      }
      Tree tree = tree(shim, children, pageBytes);
      containers
          .computeIfAbsent(target.podUid(), uid -> new ArrayList<>())
          .add(usage(target, tree, now));
      processes.merge(target.podUid(), tree.processes(), Long::sum);
    }
    samples.keySet().retainAll(targets.stream().map(UsageReader::key).toList());
    Map<String, PodUsage> pods = new HashMap<>();
    containers.forEach(
        (uid, all) -> pods.put(uid, new PodUsage(all, Disk.NONE, processes.getOrDefault(uid, 0L))));
    FileStore store = Files.getFileStore(disk);
    Supply nodeFs = new Supply(store.getUsableSpace(), store.getTotalSpace());
    HostStats.Measured measured = host.read(now);
    return new NodeUsage(
        now,
        measured.memory(),
        nodeFs,
        null,
        null,
        null,
        pids(byPid.size()),
        pods,
        measured.stats());
  }

  private static Tree tree(
      ProcessStat shim, Map<Long, List<ProcessStat>> children, long pageBytes) {
    long pages = 0;
    long processes = 0;
    // the shim has waited for those that have ended
    long ticks = shim.childTicks();
    List<ProcessStat> left = new ArrayList<>(children.getOrDefault(shim.pid(), List.of()));
    while (!left.isEmpty()) {
      ProcessStat process = left.remove(left.size() - 1);
      pages += process.residentPages();
      ticks += process.ticks() + process.childTicks();
      processes++;
      left.addAll(children.getOrDefault(process.pid(), List.of()));
    }
    return new Tree(pages * pageBytes, ticks * ProcessStat.NANOS_OF_TICK, processes);
  }

  private ContainerUsage usage(Target target, Tree tree, Instant now) {
    String key = key(target);
    Sample before = samples.get(key);
    long nanoCores = before == null ? 0 : before.nanoCores();
    if (before != null) {
      long nanos = Duration.between(before.at(), now).toNanos();
      long used = Math.max(0, tree.cpuNanos() - before.cpuNanos());
      nanoCores = nanos <= 0 ? nanoCores : (long) (used * 1e9 / nanos);
    }
    samples.put(key, new Sample(now, tree.cpuNanos(), nanoCores));
    Cpu cpu = new Cpu(before == null ? null : nanoCores, tree.cpuNanos());
    ResourceStats stats =
        new ResourceStats(
            target.shim().startedAt(),
            cpu,
            new ResourceStats.Memory(tree.bytes(), tree.bytes(), tree.bytes(), null, null),
            null,
            null);
    return new ContainerUsage(
        target.container(), tree.bytes(), Disk.NONE, logs(target.directory()), stats);
  }

  private static String key(Target target) {
    return target.directory().toString();
  }

  private static Disk logs(Path directory) {
    long bytes = 0;
    long files = 0;
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.toList()) {
        if (file.getFileName().toString().startsWith(LogSegments.CURRENT)) {
          bytes += Files.size(file);
          files++;
        }
      }
    } catch (IOException e) {
      // removed or rotated meanwhile
    }
    return new Disk(bytes, files);
  }

  private static Supply pids(long used) throws IOException {
    long most = Proc.mostPids();
    return new Supply(Math.max(0, most - used), most);
  }
}
