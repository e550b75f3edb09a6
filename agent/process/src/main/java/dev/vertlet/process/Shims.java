package dev.vertlet.process;

import dev.vertlet.host.files.Directories;
import dev.vertlet.process.shim.MountMode;
import dev.vertlet.process.shim.Shim;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Installs the shim, as soon as that succeeds. Blocks. */
final class Shims {
  /** Length of a container's id without its scheme. */
  static final int ID_LENGTH = 32;

  /** Characters of an id that name its socket, whose path must be short. */
  private static final int SOCKET_NAME = 16;

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

  /**
   * Checks that containers can be held in this directory.
   *
   * @throws IOException with the reason why none ever can
   */
  void check() throws IOException {
    Shim.content();
    int longest = socket("0".repeat(ID_LENGTH)).toString().length();
    if (longest > Shim.LONGEST_SOCKET) {
      throw new IOException(
          "the directory "
              + directory
              + " has a path that is "
              + (longest - Shim.LONGEST_SOCKET)
              + " characters too long for Unix sockets in it");
    }
  }

  /**
   * Returns the path of a container's control socket.
   *
   * @param bareId the container's id without its scheme
   */
  Path socket(String bareId) {
    return sockets().resolve(bareId.substring(0, SOCKET_NAME));
  }

  private Path sockets() {
    return directory.resolve("s");
  }
}
