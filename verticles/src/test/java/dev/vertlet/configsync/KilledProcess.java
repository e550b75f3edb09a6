package dev.vertlet.configsync;

import static dev.vertlet.configsync.Sources.resolved;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A process of its own that assigns a config and ends in the midst of it, as after a kill -9. */
final class KilledProcess {
  /** What it ends with when it was not killed. */
  static final int DONE = 0;

  static final int KILLED = 137;
  static final ResolvedSource OLD = resolved("c1", 1);
  static final ResolvedSource NEW = resolved("c1", 2);

  private KilledProcess() {}

  static Map<String, String> data(ResolvedSource source) {
    return Map.of("kubelet", "payload of " + source.resourceVersion(), "other", "x".repeat(100));
  }

  static CheckpointStore store(StoreFiles files, Path directory) {
    return store(files, directory, "node-1");
  }

  static CheckpointStore store(StoreFiles files, Path directory, String node) {
    return new CheckpointStore(
        files, directory, node, () -> UUID.randomUUID().toString().replace("-", ""));
  }

  /**
   * @param arguments directory, and how many changes are made before the end
   */
  public static void main(String[] arguments) throws IOException {
    CheckpointStore store =
        store(new Halting(Integer.parseInt(arguments[1])), Path.of(arguments[0]));
    store.open(Instant.now());
    store.save(NEW, data(NEW));
    store.writeAssigned(NEW);
    store.writeLastKnownGood(NEW);
  }

  /** A real file system, until the process ends. */
  private static final class Halting implements StoreFiles {
    private final StoreFiles disk = new DiskFiles();
    private int left;

    Halting(int left) {
      this.left = left;
    }

    private boolean last() {
      return left-- == 0;
    }

    private void halt() {
      if (last()) {
        Runtime.getRuntime().halt(KILLED);
      }
    }

    @Override
    public boolean exists(Path path) throws IOException {
      return disk.exists(path);
    }

    @Override
    public boolean isDirectory(Path path) throws IOException {
      return disk.isDirectory(path);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
      return disk.list(directory);
    }

    @Override
    public byte[] read(Path file) throws IOException {
      return disk.read(file);
    }

    @Override
    public Instant modified(Path path) throws IOException {
      return disk.modified(path);
    }

    @Override
    public boolean writable(Path directory) throws IOException {
      return disk.writable(directory);
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
      halt();
      disk.createDirectory(directory);
    }

    @Override
    public void write(Path file, byte[] content) throws IOException {
      if (last()) {
        disk.write(file, java.util.Arrays.copyOf(content, content.length / 2));
        Runtime.getRuntime().halt(KILLED);
      }
      disk.write(file, content);
    }

    @Override
    public void mark(Path file, byte[] content) throws IOException {
      halt();
      disk.mark(file, content);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
      halt();
      disk.syncDirectory(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      halt();
      disk.rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
      halt();
      disk.delete(path);
    }
  }
}
