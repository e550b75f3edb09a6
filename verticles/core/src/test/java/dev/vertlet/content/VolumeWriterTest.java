package dev.vertlet.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.content.file.ContentOptions;
import dev.vertlet.content.file.MemoryVolumes;
import dev.vertlet.content.file.PodDirectory;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.definition.VolumeDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Volumes in memory over runs of the machine. */
class VolumeWriterTest {
  private static final VolumeDefinition VOLUME =
      new VolumeDefinition("e", "emptyDir", new VolumeDefinition.EmptyDir("Memory", "1Mi"));

  @TempDir private Path dir;
  private final List<Path> mounted = new ArrayList<>();
  private final List<Long> sizes = new ArrayList<>();
  private final MemoryVolumes memory =
      new MemoryVolumes() {
        @Override
        public boolean mount(Path at, long bytes) {
          mounted.add(at);
          sizes.add(bytes);
          return true;
        }

        @Override
        public List<Path> mounted(Path below) {
          return List.copyOf(mounted);
        }

        @Override
        public void unmount(Path at) {}
      };

  private VolumeWriter.Written prepare() throws IOException {
    ContentOptions options = new ContentOptions(dir, List.of(), dir.resolve("hosts"), memory);
    return new VolumeWriter(new PodDirectory(dir, "uid-p"), options, null, 1L << 30)
        .prepare(
            new PodRef("ns", "p", "uid-p"),
            "node",
            List.of(VOLUME),
            Map.of(),
            Instant.parse("2026-01-01T00:00:00Z"));
  }

  @Test
  void aVolumeInMemoryIsMountedOnceInEachRunOfTheMachine() throws Exception {
    prepare();
    prepare();
    assertThat(sizes).containsExactly(1L << 20);

    mounted.clear(); // by the end of the run

    assertThat(prepare()).isEqualTo(new VolumeWriter.Written(Map.of(), List.of()));
    assertThat(sizes).containsExactly(1L << 20, 1L << 20);
  }
}
