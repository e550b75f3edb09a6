package dev.vertlet.content.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** File systems in memory, for {@code emptyDir} volumes of medium {@code Memory}. Blocks. */
public interface MemoryVolumes {
  /** No file systems in memory: such volumes are plain directories. */
  MemoryVolumes NONE =
      new MemoryVolumes() {
        @Override
        public boolean mount(Path directory, long bytes) {
          return false;
        }

        @Override
        public List<Path> mounted(Path directory) {
          return List.of();
        }

        @Override
        public void unmount(Path directory) {}
      };

  /**
   * Mounts one at an empty directory.
   *
   * @param bytes limit of its size
   * @return false if this process may not
   */
  boolean mount(Path directory, long bytes) throws IOException;

  /** Returns everything that is mounted at or below a directory, the deepest first. */
  List<Path> mounted(Path directory) throws IOException;

  /** Unmounts what is mounted at a directory. */
  void unmount(Path directory) throws IOException;
}
