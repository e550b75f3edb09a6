package dev.vertlet.process;

import dev.vertlet.host.files.Directories;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Installs the shim, as soon as that succeeds. Blocks. */
final class Shims {
  private final Path directory;
  private final ProcessOptions options;
  private final boolean held;
  private @Nullable Shim installed;

  /**
   * @param directory where the shim is kept, created when it is installed
   * @param held as in {@link Shim}
   */
  Shims(Path directory, ProcessOptions options, boolean held) {
    this.directory = directory;
    this.options = options;
    this.held = held;
  }

  /**
   * Returns the shim.
   *
   * @throws IOException with the reason why it cannot run here now
   */
  synchronized Shim get() throws IOException {
    Shim known = installed;
    if (known == null) {
      Directories.create(directory);
      Directories.create(sockets());
      known = Shim.install(directory, Shim.content(), held);
      if (!options.mountNamespaces()) {
        known = known.with(MountMode.links("turned off"));
      }
      installed = known;
    }
    return known;
  }

  /** Directory of control sockets. */
  Path sockets() {
    return directory.resolve("s");
  }
}
