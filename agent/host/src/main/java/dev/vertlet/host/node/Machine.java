package dev.vertlet.host.node;

import dev.vertlet.host.files.Directories;
import dev.vertlet.model.resource.Quantities;
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

  private static final String DISTRIBUTION = "PRETTY_NAME=";
  private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/hugepages");

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

  /** Kernel and distribution, as {@code status.nodeInfo} has them; what is unknown is missing. */
  public static Map<String, String> system() {
    Map<String, String> system = new HashMap<>();
    system.put("operatingSystem", "linux");
    text("/proc/sys/kernel/osrelease").ifPresent(release -> system.put("kernelVersion", release));
    text("/etc/os-release")
        .or(() -> text("/usr/lib/os-release"))
        .flatMap(text -> text.lines().filter(line -> line.startsWith(DISTRIBUTION)).findFirst())
        .map(line -> line.substring(DISTRIBUTION.length()).replaceAll("^[\"']|[\"']$", ""))
        .ifPresent(name -> system.put("osImage", name));
    return system;
  }

  /** Huge pages by their resource, for example {@code hugepages-2Mi}, in bytes as quantities. */
  public static Map<String, String> hugepages() throws IOException {
    Map<String, String> all = new HashMap<>();
    for (Path size : Directories.children(HUGE_PAGES)) {
      String name = size.getFileName().toString();
      Optional<String> count = text(size.resolve("nr_hugepages").toString());
      if (name.matches("hugepages-[0-9]+kB") && count.isPresent()) {
        long bytes = Long.parseLong(name.replaceAll("[^0-9]", "")) * 1024;
        all.put(
            "hugepages-" + Quantities.binary(bytes),
            Quantities.binary(bytes * Long.parseLong(count.get())).toString());
      }
    }
    return all;
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
