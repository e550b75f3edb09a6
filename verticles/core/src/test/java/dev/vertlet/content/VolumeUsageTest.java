package dev.vertlet.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.provider.NodeUsage;
import dev.vertlet.provider.NodeUsage.Disk;
import dev.vertlet.provider.NodeUsage.PodUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sizes of emptyDir volumes. */
class VolumeUsageTest {
  @TempDir private Path dir;

  @Test
  void allFilesOfAVolumeCountAndNothingBehindALink() throws Exception {
    Path volume = Files.createDirectories(dir.resolve("v/deep"));
    Files.write(volume.resolve("a"), new byte[1000]);
    Files.write(dir.resolve("v/b"), new byte[24]);
    Files.write(dir.resolve("outside"), new byte[5000]);
    Files.createSymbolicLink(volume.resolve("link"), dir.resolve("outside"));

    Map<String, Long> bytes =
        VolumeUsage.measure(Map.of("v", dir.resolve("v"), "none", dir.resolve("none")));

    assertThat(bytes.get("v")).isBetween(1024L, 1424L);
    assertThat(bytes).containsEntry("none", 0L);
  }

  @Test
  void aRuntimesOwnMeasurementStays() {
    PodUsage own = new PodUsage(List.of(), new Disk(7, 1), 3, Map.of("v", 7L));
    PodUsage bare = new PodUsage(List.of(), new Disk(5, 1), 2);
    NodeUsage usage =
        new NodeUsage(null, null, null, null, null, null, null, Map.of("a", own, "b", bare));

    NodeUsage completed =
        VolumeUsage.completed(
            usage, Map.of("a", Map.of("v", 100L), "b", Map.of("v", 100L), "c", Map.of("v", 1L)));

    assertThat(completed.pods().get("a")).isEqualTo(own);
    PodUsage more = Objects.requireNonNull(completed.pods().get("b"));
    assertThat(more.emptyDirs()).isEqualTo(Map.of("v", 100L));
    assertThat(more.volumes()).isEqualTo(new Disk(105, 1));
    assertThat(more.processes()).isEqualTo(2);
    assertThat(Objects.requireNonNull(completed.pods().get("c")).emptyDirs())
        .isEqualTo(Map.of("v", 1L));
  }
}
