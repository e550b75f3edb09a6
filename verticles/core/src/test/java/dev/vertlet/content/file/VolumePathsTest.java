package dev.vertlet.content.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.container.FileIdentity;
import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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

  /** The pod has exchanged a directory of the path that the agent has resolved. */
  @Test
  void aLinkInAResolvedPathIsRefused() throws Exception {
    Files.createSymbolicLink(volume.resolve("dir"), outside);
    Files.createDirectories(volume.resolve("sub/other"));
    Files.createSymbolicLink(volume.resolve("sub/dir"), volume.resolve("sub/other"));
    Files.writeString(volume.resolve("sub/other/secret"), "mine");
    Files.createSymbolicLink(volume.resolve("up"), Path.of("sub"));

    for (String path : List.of("dir/secret", "up/other/secret/x", "sub/dir/../../dir/secret")) {
      assertThatThrownBy(() -> VolumePaths.open(volume, volume.resolve(path)))
          .as(path)
          .isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> VolumePaths.open(volume, volume.resolve("dir")))
        .hasMessageStartingWith("unexpected symlink found ");
  }

  @Test
  void aPipeInAResolvedPathIsRefusedAndNotWaitedFor() throws Exception {
    assertThat(Waits.exit(new ProcessBuilder("mkfifo", volume.resolve("dir").toString()).start()))
        .isZero();

    Future<FileIdentity> opened =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return VolumePaths.open(volume, volume.resolve("dir/secret"));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });

    assertThatThrownBy(() -> Waits.get(opened)).hasRootCauseInstanceOf(IOException.class);
  }

  /** The pod exchanges a directory for a link while the agent looks. */
  @Test
  void anExchangedDirectoryNeverLeadsOut() throws Exception {
    FileIdentity hidden = FileIdentity.of(outside.resolve("secret"));
    Files.createDirectory(volume.resolve("dir"));
    Files.writeString(volume.resolve("dir/secret"), "mine");
    FileIdentity mine = FileIdentity.of(volume.resolve("dir/secret"));
    AtomicBoolean over = new AtomicBoolean();
    Thread pod = new Thread(() -> exchange(over));
    pod.start();
    Set<FileIdentity> found = new HashSet<>();
    AtomicInteger refused = new AtomicInteger();
    try {
      Waits.eventually(
          () -> {
            for (int i = 0; i < 500; i++) {
              try {
                found.add(VolumePaths.of(volume, "dir/secret").identity());
              } catch (IOException e) {
                refused.incrementAndGet(); // the link was seen, or was being exchanged
              }
            }
            assertThat(found).contains(mine);
            assertThat(refused.get()).isGreaterThan(1_000);
          });
    } finally {
      over.set(true);
      pod.join();
    }

    assertThat(found).doesNotContain(hidden);
    try (var all = Files.list(outside)) {
      assertThat(all).containsExactly(outside.resolve("secret"));
    }
  }

  private void exchange(AtomicBoolean over) {
    Path dir = volume.resolve("dir");
    Path spare = volume.resolve("spare");
    while (!over.get()) {
      tried(() -> Files.move(dir, spare));
      tried(() -> Files.createSymbolicLink(dir, outside));
      tried(() -> Files.delete(dir));
      tried(() -> VersionedDirectory.delete(dir)); // which the agent has made meanwhile
      tried(() -> Files.move(spare, dir));
    }
  }

  private interface FileTask {
    void run() throws IOException;
  }

  private static void tried(FileTask task) {
    try {
      task.run();
    } catch (IOException e) {
      return; // the agent was faster
    }
  }
}
