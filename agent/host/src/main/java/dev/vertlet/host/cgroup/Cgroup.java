package dev.vertlet.host.cgroup;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Control group of a container. Every method but the JSON ones blocks.
 *
 * @param unified whether it is one of cgroup v2
 * @param controllers those of {@code cpu}, {@code memory} and {@code pids} that it has
 */
public record Cgroup(Path directory, boolean unified, List<String> controllers) {
  /** Cgroup v1 shows no limit as the largest number of whole pages. */
  private static final long UNLIMITED = 1L << 62;

  public Cgroup {
    controllers = List.copyOf(controllers);
  }

  public JsonObject json() {
    return new JsonObject()
        .put("directory", directory.toString())
        .put("unified", unified)
        .put("controllers", new JsonArray(controllers));
  }

  public static Cgroup of(JsonObject json) {
    return new Cgroup(
        Path.of(json.getString("directory")),
        json.getBoolean("unified"),
        json.getJsonArray("controllers").stream().map(String::valueOf).toList());
  }

  public Cgroup parent() {
    Path above = Objects.requireNonNull(directory.getParent(), "the root has no group above it");
    return new Cgroup(above, unified, controllers);
  }

  /** Sets CPU and memory of a container, whose processes the kernel kills together. */
  public void limit(ContainerLimits limits) throws IOException {
    limitTotal(limits);
    if (unified && controllers.contains("memory")) {
      write("memory.oom.group", 1);
    }
  }

  /** Sets CPU and memory of all containers of a group together. */
  public void limitTotal(ContainerLimits limits) throws IOException {
    if (controllers.contains("cpu")) {
      limitCpu(limits);
    }
    if (controllers.contains("memory")) {
      limitMemory(limits.memoryBytes());
    }
  }

  private void limitCpu(ContainerLimits limits) throws IOException {
    long quota = limits.cpuQuotaMicros();
    if (unified) {
      write("cpu.weight", limits.cpuWeight());
      write("cpu.max", (quota < 0 ? "max" : quota) + " " + ContainerLimits.PERIOD_MICROS);
    } else {
      write("cpu.shares", limits.cpuShares());
      write("cpu.cfs_period_us", ContainerLimits.PERIOD_MICROS);
      write("cpu.cfs_quota_us", quota);
    }
  }

  private void limitMemory(long bytes) throws IOException {
    if (!unified) {
      write("memory.limit_in_bytes", bytes);
      return;
    }
    // the kernel would kill the container; cgroup v1 refuses
    long used = bytes < 0 ? -1 : Long.parseLong(read("memory.current"));
    if (used > bytes) {
      throw new IOException(
          "the container uses %d bytes of memory, more than the limit of %d"
              .formatted(used, bytes));
    }
    write("memory.max", bytes < 0 ? "max" : bytes);
  }

  /** Reads what {@link #limitTotal} has set; what the group cannot limit has no limit. */
  public ContainerLimits limits() throws IOException {
    return new ContainerLimits(
        controllers.contains("cpu") ? shares() : ContainerLimits.LEAST_SHARES,
        controllers.contains("cpu") ? quota() : -1,
        controllers.contains("memory")
            ? number(read(unified ? "memory.max" : "memory.limit_in_bytes"))
            : -1);
  }

  private long quota() throws IOException {
    if (!unified) {
      return number(read("cpu.cfs_quota_us"));
    }
    String[] words = read("cpu.max").split(" ");
    long quota = number(words[0]);
    // another program may have set another period
    return quota < 0 || words.length < 2
        ? quota
        : quota * ContainerLimits.PERIOD_MICROS / Long.parseLong(words[1]);
  }

  private String read(String file) throws IOException {
    return Cgroups.read(directory.resolve(file));
  }

  private static long number(String text) {
    long number = text.equals("max") ? UNLIMITED : Long.parseLong(text);
    return number < 0 || number >= UNLIMITED ? -1 : number;
  }

  /** Sets the weight against other groups of the same parent: 2 to 262,144, 1024 for one core. */
  public void shares(long shares) throws IOException {
    if (controllers.contains("cpu")) {
      write(
          unified ? "cpu.weight" : "cpu.shares", unified ? ContainerLimits.weight(shares) : shares);
    }
  }

  /** Reads what {@link #shares} has set, as cgroup v2 keeps it; 0 without the CPU controller. */
  public long shares() throws IOException {
    if (!controllers.contains("cpu")) {
      return 0;
    }
    long value = Long.parseLong(read(unified ? "cpu.weight" : "cpu.shares"));
    return unified ? ContainerLimits.shares(value) : value;
  }

  /** Limits the number of processes and threads. */
  public void limitPids(long most) throws IOException {
    if (controllers.contains("pids")) {
      write("pids.max", most < 0 ? "max" : most);
    }
  }

  private void write(String file, Object value) throws IOException {
    Cgroups.write(directory.resolve(file), value.toString());
  }

  /** Removes the group and, after its last container, that of its pod; fails if it is in use. */
  public void remove() throws IOException {
    try {
      Files.delete(directory);
    } catch (NoSuchFileException e) {
      return;
    }
    Cgroups.removeIfUnused(parent().directory());
  }
}
