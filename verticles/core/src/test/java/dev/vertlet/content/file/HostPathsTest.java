package dev.vertlet.content.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.definition.VolumeDefinition.HostPath;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Types of hostPath volumes, and which paths are allowed. */
class HostPathsTest {
  @TempDir private Path dir;
  private Path allowed;
  private HostPaths paths;

  @BeforeEach
  void make() throws Exception {
    allowed = Files.createDirectory(dir.resolve("allowed"));
    Files.createDirectory(allowed.resolve("folder"));
    Files.writeString(allowed.resolve("file"), "x");
    paths = new HostPaths(List.of(allowed, Path.of("/dev/null")));
  }

  private void check(Path path, String type) throws Exception {
    assertThat(paths.check(new HostPath(path.toString(), type))).isEqualTo(path);
  }

  private void refuse(Path path, String type, String message) {
    assertThatThrownBy(() -> paths.check(new HostPath(path.toString(), type)))
        .isInstanceOf(ContentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource({
    "Directory, folder",
    "DirectoryOrCreate, folder",
    "DirectoryOrCreate, new/deep",
    "File, file",
    "FileOrCreate, file",
    "FileOrCreate, fresh",
    "'', absent"
  })
  void aPathIsAsItsTypeSays(String type, String name) throws Exception {
    check(allowed.resolve(name), type);
  }

  @Test
  void missingDirectoriesAndFilesAreCreated() throws Exception {
    check(allowed.resolve("new/deep"), "DirectoryOrCreate");
    check(allowed.resolve("fresh"), "FileOrCreate");

    assertThat(allowed.resolve("new/deep")).isDirectory();
    assertThat(allowed.resolve("fresh")).isEmptyFile();
    assertThat(FileModes.of(allowed.resolve("fresh")) & 0111).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "Directory, file, a directory",
    "DirectoryOrCreate, file, a directory",
    "Directory, absent, a directory",
    "File, folder, a file",
    "FileOrCreate, folder, a file",
    "Socket, file, a socket file",
    "CharDevice, file, a character device",
    "BlockDevice, file, a block device"
  })
  void anotherTypeIsRefusedInAKubeletsWords(String type, String name, String what) {
    Path path = allowed.resolve(name);

    refuse(path, type, "hostPath type check failed: " + path + " is not " + what);
  }

  @Test
  void socketsAndDevicesAreTold() throws Exception {
    Path socket = allowed.resolve("s");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      check(socket, "Socket");
    }
    check(Path.of("/dev/null"), "CharDevice");
  }

  @Test
  void anUnknownTypeIsRefused() {
    refuse(allowed.resolve("file"), "Pipe", "Pipe is an invalid volume type");
  }

  @Test
  void anAllowedDirectoryMayBeALinkInAnother() throws Exception {
    Path elsewhere = Files.createDirectory(dir.resolve("elsewhere"));
    Files.createDirectory(elsewhere.resolve("folder"));
    Path link = Files.createSymbolicLink(allowed.resolve("link"), elsewhere);
    paths = new HostPaths(List.of(allowed, link));

    assertThat(paths.check(new HostPath(link.resolve("folder").toString(), "Directory")))
        .isEqualTo(elsewhere.resolve("folder").toRealPath());
  }

  @Test
  void nothingIsAllowedByDefaultAndNothingOutside() throws Exception {
    Path outside = Files.createDirectory(dir.resolve("allowed-not"));
    Files.createSymbolicLink(allowed.resolve("out"), outside);
    Files.createSymbolicLink(allowed.resolve("dangling"), dir.resolve("nothing"));
    String words = "hostPath %s is not allowed on this node: pods.hostPaths has no prefix of it";

    refuse(outside, "", words.formatted(outside));
    refuse(allowed.resolve("out"), "Directory", words.formatted(allowed.resolve("out")));
    refuse(
        allowed.resolve("out/new"),
        "DirectoryOrCreate",
        words.formatted(allowed.resolve("out/new")));
    refuse(
        allowed.resolve("dangling"), "FileOrCreate", words.formatted(allowed.resolve("dangling")));
    refuse(
        allowed.resolve("../x"),
        "",
        "invalid HostPath `%s`: must not contain '..'".formatted(allowed.resolve("../x")));
    paths = new HostPaths(List.of());
    refuse(allowed, "", words.formatted(allowed));
  }
}
