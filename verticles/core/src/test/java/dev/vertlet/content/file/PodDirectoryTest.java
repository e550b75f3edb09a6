package dev.vertlet.content.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.PodRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Directories of pods: found again after a restart, and removed without harm. */
class PodDirectoryTest {
  private static final PodRef POD = new PodRef("ns", "p", "uid-1");

  @TempDir private Path pods;

  @Test
  void aDirectoryIsFoundWithItsPodAndNode() throws Exception {
    new PodDirectory(pods, "uid-1").create(POD, "n1");
    new PodDirectory(pods, "uid-1").create(POD, "other");
    Files.createDirectory(pods.resolve("something"));
    Files.writeString(pods.resolve("file"), "x");

    assertThat(PodDirectory.all(pods)).containsExactly(new PodDirectory.Found(POD, "n1"));
    assertThat(PodDirectory.all(pods.resolve("none"))).isEmpty();
  }

  @Test
  void aDirectoryThatCannotBeReadHidesNoOther() throws Exception {
    new PodDirectory(pods, "uid-1").create(POD, "n1");
    Files.createDirectories(pods.resolve("lost+found/pod.json"));

    assertThat(PodDirectory.all(pods)).containsExactly(new PodDirectory.Found(POD, "n1"));
  }

  @Test
  void aPodIsKnownUntilItsFilesAreRemoved() throws Exception {
    PodDirectory directory = new PodDirectory(pods, "uid-1");
    directory.create(POD, "n1");
    for (String part : List.of("a", "b", "y", "z")) {
      Files.createDirectory(directory.root().resolve(part));
    }
    MemoryVolumes busy =
        new MemoryVolumes() {
          @Override
          public boolean mount(Path at, long bytes) {
            return true;
          }

          @Override
          public List<Path> mounted(Path below) {
            return below.endsWith("z") ? List.of(below) : List.of();
          }

          @Override
          public void unmount(Path at) throws IOException {
            throw new IOException("busy");
          }
        };

    assertThatThrownBy(() -> directory.remove(busy)).hasMessage("busy");

    assertThat(PodDirectory.all(pods)).hasSize(1);
  }

  @Test
  void clearingLeavesWhatBelongsToTheRuntime() throws Exception {
    PodDirectory directory = new PodDirectory(pods, "uid-1");
    directory.create(POD, "n1");
    Files.createDirectories(directory.volume("emptyDir", "v"));
    Files.writeString(directory.hosts(), "x");
    Path logs = Files.createDirectory(directory.root().resolve("logs"));

    directory.clear(MemoryVolumes.NONE);

    assertThat(logs).exists();
    assertThat(directory.root().resolve("volumes")).doesNotExist();
    assertThat(directory.hosts()).doesNotExist();
    directory.remove(MemoryVolumes.NONE);
    directory.remove(MemoryVolumes.NONE);
    assertThat(directory.root()).doesNotExist();
  }

  @Test
  void removalFollowsNoLink() throws Exception {
    Path outside = Files.createDirectory(pods.resolve("outside"));
    Files.writeString(outside.resolve("kept"), "x");
    PodDirectory directory = new PodDirectory(pods, "uid-1");
    directory.create(POD, "n1");
    Path volume = Files.createDirectories(directory.volume("emptyDir", "v"));
    Files.createSymbolicLink(volume.resolve("link"), outside);

    directory.remove(MemoryVolumes.NONE);

    assertThat(outside.resolve("kept")).exists();
  }

  @Test
  void whatIsMountedIsUnmountedFirst() throws Exception {
    PodDirectory directory = new PodDirectory(pods, "uid-1");
    directory.create(POD, "n1");
    Path volume = Files.createDirectories(directory.volume("emptyDir", "v"));
    List<Path> unmounted = new ArrayList<>();
    boolean[] busy = {true};
    MemoryVolumes memory =
        new MemoryVolumes() {
          @Override
          public boolean mount(Path at, long bytes) {
            return true;
          }

          @Override
          public List<Path> mounted(Path below) {
            return List.of(volume);
          }

          @Override
          public void unmount(Path at) throws IOException {
            if (busy[0]) {
              throw new IOException("busy");
            }
            unmounted.add(at);
          }
        };

    assertThatThrownBy(() -> directory.remove(memory)).hasMessage("busy");
    assertThat(volume).exists();
    busy[0] = false;
    directory.remove(memory);
    assertThat(unmounted).containsExactly(volume);
    assertThat(directory.root()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", ".", "a/b", "../x"})
  void aUidIsANameOfADirectory(String uid) {
    assertThatThrownBy(() -> new PodDirectory(pods, uid))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
