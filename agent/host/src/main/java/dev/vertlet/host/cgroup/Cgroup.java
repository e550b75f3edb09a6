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

  /** Sets CPU and memory. */
  public void limit(ContainerLimits limits) throws IOException {
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
    long used = bytes < 0 ? -1 : Long.parseLong(Cgroups.read(directory.resolve("memory.current")));
    if (used > bytes) {
      throw new IOException(
          "the container uses %d bytes of memory, more than the limit of %d"
              .formatted(used, bytes));
    }
    write("memory.max", bytes < 0 ? "max" : bytes);
    write("memory.oom.group", 1);
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
