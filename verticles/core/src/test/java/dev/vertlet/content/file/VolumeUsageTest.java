package dev.vertlet.content.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.content.file.VolumeUsage.EmptyDir;
import dev.vertlet.content.file.VolumeUsage.Sizes;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sizes of emptyDir volumes. */
class VolumeUsageTest {
  private static final long MIB = 1 << 20;

  @TempDir private Path dir;

  private static Sizes measured(List<EmptyDir> volumes) throws IOException {
    return Objects.requireNonNull(VolumeUsage.measure(Map.of("uid", volumes)).get("uid"));
  }

  private static long size(Path volume) throws IOException {
    Sizes sizes = measured(List.of(new EmptyDir("v", volume, false)));
    assertThat(sizes.volumes()).isEqualTo(Map.of("v", sizes.disk()));
    return sizes.disk();
  }

  private static void write(Path file, long bytes) throws IOException {
    Files.write(file, new byte[(int) bytes]);
  }

  @Test
  void allFilesOfAVolumeCountAndNothingBehindALink() throws Exception {
    Path volume = Files.createDirectories(dir.resolve("v/deep"));
    write(volume.resolve("a"), MIB);
    write(dir.resolve("v/b"), MIB);
    write(dir.resolve("outside"), 8 * MIB);
    Files.createSymbolicLink(volume.resolve("link"), dir.resolve("outside"));

    assertThat(size(dir.resolve("v"))).isBetween(2 * MIB, 3 * MIB);
    assertThat(size(dir.resolve("none"))).isZero();
  }

  @Test
  void holesOfASparseFileDoNotCount() throws Exception {
    Path volume = Files.createDirectory(dir.resolve("v"));
    try (RandomAccessFile file = new RandomAccessFile(volume.resolve("f").toFile(), "rw")) {
      file.setLength(64 * MIB);
    }

    assertThat(size(volume)).isLessThan(MIB);
  }

  @Test
  void smallFilesCountWithTheirBlocks() throws Exception {
    Path volume = Files.createDirectory(dir.resolve("v"));
    for (int i = 0; i < 300; i++) {
      write(volume.resolve("f" + i), 1);
    }

    assertThat(size(volume)).isGreaterThanOrEqualTo(300 * 512);
  }

  @Test
  void aFileWithTwoNamesCountsOnce() throws Exception {
    Path volume = Files.createDirectory(dir.resolve("v"));
    write(volume.resolve("f"), MIB);
    Files.createLink(volume.resolve("g"), volume.resolve("f"));

    assertThat(size(volume)).isBetween(MIB, MIB + MIB / 2);
    assertThat(DiskUsage.lengths(volume)).as("without du").isEqualTo(MIB);
  }

  @Test
  void aVolumeInMemoryIsNoStorageOfItsPod() throws Exception {
    Path memory = Files.createDirectory(dir.resolve("m"));
    write(memory.resolve("f"), MIB);

    Sizes sizes = measured(List.of(new EmptyDir("m", memory, true)));

    assertThat(sizes.disk()).isZero();
    assertThat(sizes.volumes().get("m")).isGreaterThanOrEqualTo(MIB);
  }

  @Test
  void manyVolumesAreMeasuredTogether() throws Exception {
    List<EmptyDir> volumes = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      volumes.add(new EmptyDir("v" + i, Files.createDirectory(dir.resolve("v" + i)), false));
    }
    write(dir.resolve("v599/f"), MIB);

    Map<String, Long> bytes = measured(volumes).volumes();

    assertThat(bytes).hasSize(600);
    assertThat(bytes.get("v599")).isGreaterThanOrEqualTo(MIB);
    assertThat(bytes.get("v0")).isLessThan(MIB);
  }

  @Test
  void aRuntimesOwnMeasurementStays() {
    PodUsage own = new PodUsage(List.of(), new Disk(7, 1), 3, Map.of("v", 7L));
    PodUsage bare = new PodUsage(List.of(), new Disk(5, 1), 2);
    NodeUsage usage =
        new NodeUsage(null, null, null, null, null, null, null, Map.of("a", own, "b", bare));

    NodeUsage completed =
        VolumeUsage.completed(
            usage,
            Map.of(
                "a", new Sizes(Map.of("v", 100L), 100),
                "b", new Sizes(Map.of("v", 100L), 100),
                "c", new Sizes(Map.of("v", 1L), 1)));

    assertThat(completed.pods().get("a")).isEqualTo(own);
    PodUsage more = Objects.requireNonNull(completed.pods().get("b"));
    assertThat(more.emptyDirs()).isEqualTo(Map.of("v", 100L));
    assertThat(more.volumes()).isEqualTo(new Disk(105, 1));
    assertThat(more.processes()).isEqualTo(2);
    assertThat(Objects.requireNonNull(completed.pods().get("c")).emptyDirs())
        .isEqualTo(Map.of("v", 1L));
  }
}
