package dev.vertlet.configsync.store;

import static dev.vertlet.configsync.Sources.resolved;

import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.testing.Fakes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A process of its own that assigns a config and ends in the midst of it, as after a kill -9. */
public final class KilledProcess {
  /** What it ends with when it was not killed. */
  static final int DONE = 0;

  static final int KILLED = 137;
  static final ResolvedSource OLD = resolved("c1", 1);
  static final ResolvedSource NEW = resolved("c1", 2);

  private static final Set<String> READS =
      Set.of("exists", "isDirectory", "list", "read", "modified", "writable");

  private KilledProcess() {}

  static Map<String, String> data(ResolvedSource source) {
    return Map.of("kubelet", "payload of " + source.resourceVersion(), "other", "x".repeat(100));
  }

  static CheckpointStore store(StoreFiles files, Path directory) {
    return store(files, directory, "node-1");
  }

  public static CheckpointStore store(StoreFiles files, Path directory, String node) {
    return new CheckpointStore(
        files, directory, node, () -> UUID.randomUUID().toString().replace("-", ""));
  }

  /**
   * @param arguments directory, and how many changes are made before the end
   */
  public static void main(String[] arguments) throws IOException {
    CheckpointStore store = store(halting(Integer.parseInt(arguments[1])), Path.of(arguments[0]));
    store.open(Instant.now());
    store.save(NEW, data(NEW));
    store.writeAssigned(NEW);
    store.writeLastKnownGood(NEW);
  }

  /** A real file system, until the process ends. */
  private static StoreFiles halting(int changes) {
    StoreFiles disk = new DiskFiles();
    int[] left = {changes};
    return Fakes.hooked(
        StoreFiles.class,
        disk,
        (method, arguments) -> {
          if (READS.contains(method) || left[0]-- > 0) {
            return;
          }
          if (method.equals("write")) {
            byte[] content = (byte[]) arguments[1];
            disk.write((Path) arguments[0], Arrays.copyOf(content, content.length / 2));
          }
          Runtime.getRuntime().halt(KILLED);
        });
  }
}
