package dev.vertlet.host.node;

import dev.vertlet.model.Quantities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What the agent's machine has and is. Every method blocks, on files that the kernel makes. */
public final class Machine {
  private static final String PODS = "110"; // a kubelet's default

  /** Names that Go has for architectures, by the JVM's. */
  private static final Map<String, String> ARCHITECTURES = Map.of("aarch64", "arm64");

  private Machine() {}

  /**
   * CPU, memory, pods and the disk of {@code /} as a node's capacity; what cannot be read is
   * missing.
   */
  public static Map<String, String> capacity() {
    Map<String, String> capacity = new HashMap<>();
    capacity.put("cpu", String.valueOf(Runtime.getRuntime().availableProcessors()));
    capacity.put("pods", PODS);
    long memory = memoryBytes();
    if (memory > 0) {
      capacity.put("memory", Quantities.binary(memory).toString());
    }
    try {
      long disk = Files.getFileStore(Path.of("/")).getTotalSpace();
      capacity.put("ephemeral-storage", Quantities.binary(disk).toString());
    } catch (IOException e) {
      // the configuration's default then applies
    }
    return capacity;
  }

  /** Size of the memory; 0 if it cannot be read. */
  public static long memoryBytes() {
    return text("/proc/meminfo")
        .flatMap(text -> text.lines().filter(line -> line.startsWith("MemTotal:")).findFirst())
        .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
        .orElse(0L);
  }

  /**
   * Architecture and identities of the machine and of its boot, as {@code status.nodeInfo} has
   * them.
   */
  public static Map<String, String> info() {
    Map<String, String> info = new HashMap<>();
    String architecture = System.getProperty("os.arch", "");
    info.put("architecture", ARCHITECTURES.getOrDefault(architecture, architecture));
    text("/proc/sys/kernel/random/boot_id").ifPresent(id -> info.put("bootID", id));
    text("/etc/machine-id").ifPresent(id -> info.put("machineID", id));
    // root alone may read the first; a kubelet takes the second where there is none
    text("/sys/class/dmi/id/product_uuid")
        .or(() -> text("/etc/machine-id"))
        .ifPresent(id -> info.put("systemUUID", id));
    return info;
  }

  private static Optional<String> text(String file) {
    try {
      String text = Files.readString(Path.of(file)).strip();
      return text.isEmpty() ? Optional.empty() : Optional.of(text);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
