package dev.vertlet.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.FileIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths in volumes that a pod can write: no link leads out (kubernetes#63143, #104980). */
class VolumePathsTest {
  @TempDir private Path dir;
  private Path volume;
  private Path outside;

  @BeforeEach
  void make() throws Exception {
    volume = Files.createDirectory(dir.resolve("volume")).toRealPath();
    outside = Files.createDirectory(dir.resolve("outside")).toRealPath();
    Files.writeString(outside.resolve("secret"), "hush");
  }

  @Test
  void anExistingPathHasTheIdentityOfItsFile() throws Exception {
    Path file = Files.writeString(Files.createDirectories(volume.resolve("a/b")).resolve("f"), "x");

    VolumePaths.Found found = VolumePaths.of(volume, "a/b/f");

    assertThat(found.path()).isEqualTo(file);
    assertThat(found.identity()).isEqualTo(FileIdentity.of(file));
  }

  @Test
  void missingDirectoriesAreCreatedWithTheModeOfTheVolume() throws Exception {
    FileModes.set(volume, 0777);

    VolumePaths.Found found = VolumePaths.of(volume, "x/y/z");

    assertThat(found.path()).isEqualTo(volume.resolve("x/y/z")).isDirectory();
    assertThat(FileModes.of(volume.resolve("x"))).isEqualTo(0777);
    assertThat(FileModes.of(found.path())).isEqualTo(0777);
    try (var all = Files.list(volume)) {
      assertThat(all).hasSize(1);
    }
  }

  /** The pod exchanges the new directory before it has its mode. */
  @Test
  void aModeIsNeverSetThroughALink() throws Exception {
    Path secret = outside.resolve("secret");
    FileModes.set(secret, 0600);
    Path link = Files.createSymbolicLink(volume.resolve("made"), secret);

    assertThatThrownBy(() -> FileModes.setUnlinked(link, 0777)).isInstanceOf(IOException.class);

    assertThat(FileModes.of(secret)).isEqualTo(0600);
  }

  @Test
  void aNewDirectoryInheritsTheGroupAsTheVolumeDoes() throws Exception {
    FileModes.set(volume, 02770);

    assertThat(FileModes.of(VolumePaths.of(volume, "x").path())).isEqualTo(02770);
  }

  @Test
  void aLinkWithinTheVolumeIsFollowed() throws Exception {
    Files.createDirectory(volume.resolve("real"));
    Files.createSymbolicLink(volume.resolve("link"), Path.of("real"));

    assertThat(VolumePaths.of(volume, "link").path()).isEqualTo(volume.resolve("real"));
    assertThat(VolumePaths.of(volume, "link/new").path()).isEqualTo(volume.resolve("real/new"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"link", "link/secret", "link/new", "sub/link", "dangling", "dangling/x"})
  void aLinkOutOfTheVolumeIsRefusedAndNothingIsCreatedThere(String path) throws Exception {
    Files.createDirectory(volume.resolve("sub"));
    Files.createSymbolicLink(volume.resolve("link"), outside);
    Files.createSymbolicLink(volume.resolve("sub/link"), outside.resolve("secret"));
    Files.createSymbolicLink(volume.resolve("dangling"), outside.resolve("absent"));

    assertThatThrownBy(() -> VolumePaths.of(volume, path)).isInstanceOf(IOException.class);

    try (var all = Files.list(outside)) {
      assertThat(all).containsExactly(outside.resolve("secret"));
    }
  }

  /** The pod exchanges a directory for a link while the agent looks. */
  @Test
  void anExchangedDirectoryNeverLeadsOut() throws Exception {
    FileIdentity hidden = FileIdentity.of(outside.resolve("secret"));
    Files.createDirectory(volume.resolve("real"));
    Files.writeString(volume.resolve("real/secret"), "mine");
    AtomicBoolean over = new AtomicBoolean();
    Thread pod = new Thread(() -> exchange(over));
    pod.start();
    int found = 0;
    for (int i = 0; i < 2_000; i++) {
      try {
        FileIdentity identity = VolumePaths.of(volume, "dir/secret").identity();
        assertThat(identity).isNotEqualTo(hidden);
        found++;
      } catch (IOException e) {
        continue; // the link was seen, or was being exchanged
      }
    }
    over.set(true);
    pod.join();

    assertThat(found).isNotNegative();
    try (var all = Files.list(outside)) {
      assertThat(all).containsExactly(outside.resolve("secret"));
    }
  }

  private void exchange(AtomicBoolean over) {
    Path dir = volume.resolve("dir");
    Path spare = volume.resolve("spare");
    try {
      while (!over.get()) {
        Files.deleteIfExists(dir);
        Files.createSymbolicLink(dir, outside);
        Files.deleteIfExists(dir);
        Files.move(volume.resolve("real"), dir);
        Files.move(dir, spare);
        Files.move(spare, volume.resolve("real"));
      }
    } catch (IOException e) {
      // the agent has created the directory meanwhile
    }
  }
}
