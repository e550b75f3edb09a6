package dev.vertlet.content.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.provider.content.ContentFile;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions of a volume: one after another, never a part of one. */
class VersionedDirectoryTest {
  private static final Instant NOW = Instant.parse("2026-02-03T04:05:06Z");

  @TempDir private Path dir;

  private boolean write(ContentFile... files) throws IOException {
    return new VersionedDirectory(dir).write(List.of(files), null, NOW);
  }

  private static ContentFile file(String path, String text) {
    return new ContentFile(path, Buffer.buffer(text), 0640, null);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void visibleNamesAreLinksThroughTheCurrentVersion() throws Exception {
    assertThat(write(file("a", "1"), file("sub/deep/b", "2"))).isTrue();

    assertThat(Files.readSymbolicLink(dir.resolve("a"))).isEqualTo(Path.of("..data/a"));
    assertThat(Files.readSymbolicLink(dir.resolve("sub"))).isEqualTo(Path.of("..data/sub"));
    assertThat(Files.readSymbolicLink(dir.resolve("..data")).toString())
        .startsWith("..2026_02_03_04_05_06.");
    assertThat(dir.resolve("sub/deep/b")).hasContent("2");
    assertThat(FileModes.of(dir.resolve("a").toRealPath())).isEqualTo(0640);
    assertThat(FileModes.of(dir.resolve("sub/deep").toRealPath())).isEqualTo(0755);
    assertThat(names()).hasSize(4).contains("..data", "a", "sub");
  }

  @Test
  void theSameVersionIsNotWrittenAgain() throws Exception {
    write(file("a", "1"));
    Path version = new VersionedDirectory(dir).current();

    assertThat(write(file("a", "1"))).isFalse();

    assertThat(new VersionedDirectory(dir).current()).isEqualTo(version);
  }

  @Test
  void aNewVersionReplacesAllFilesAndRemovesTheOldOne() throws Exception {
    write(file("a", "1"), file("gone/x", "2"), file("b", "3"));
    Path old = Objects.requireNonNull(new VersionedDirectory(dir).current());

    assertThat(write(file("a", "2"), file("new", "4"))).isTrue();

    assertThat(dir.resolve("a")).hasContent("2");
    assertThat(dir.resolve("new")).hasContent("4");
    assertThat(old).doesNotExist();
    assertThat(names()).hasSize(4).contains("..data", "a", "new");
  }

  @Test
  void anEmptyVersionIsAVersion() throws Exception {
    assertThat(write()).isTrue();
    assertThat(write()).isFalse();
    write(file("a", "1"));
    assertThat(write()).isTrue();
    assertThat(names()).hasSize(2);
  }

  /** A process that ends while it writes leaves a half version, which nobody ever sees. */
  @Test
  void theRemainsOfAnInterruptedWriteAreRemoved() throws Exception {
    write(file("a", "1"));
    Files.createDirectory(dir.resolve("..2020_01_01_00_00_00.half"));
    Files.createSymbolicLink(dir.resolve("..data_tmp"), Path.of("..2020_01_01_00_00_00.half"));

    assertThat(write(file("a", "1"))).isFalse();
    assertThat(names()).hasSize(3);
    Files.delete(dir.resolve("a"));
    assertThat(write(file("a", "1"))).as("links are repaired without a new version").isFalse();
    assertThat(dir.resolve("a")).hasContent("1");
  }

  @Test
  @Tag("P09")
  @Tag("P10")
  void aReaderNeverSeesHalfAVersion() throws Exception {
    write(file("a", "0"), file("b", "0"));
    AtomicBoolean over = new AtomicBoolean();
    AtomicBoolean torn = new AtomicBoolean();
    Thread reader =
        new Thread(
            () -> {
              while (!over.get()) {
                try {
                  Path version = dir.resolve("..data").toRealPath();
                  String a = Files.readString(version.resolve("a"));
                  String b = Files.readString(version.resolve("b"));
                  torn.compareAndSet(false, !a.equals(b));
                } catch (IOException e) {
                  continue; // the version was replaced meanwhile
                }
              }
            });
    reader.start();
    for (int i = 1; i < 200; i++) {
      write(file("a", String.valueOf(i)), file("b", String.valueOf(i)));
    }
    over.set(true);
    reader.join();

    assertThat(torn).isFalse();
  }
}
