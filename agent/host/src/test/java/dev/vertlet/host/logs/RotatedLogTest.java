package dev.vertlet.host.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.LogRequest.Stream;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that are rotated as a kubelet does, read across all their files. */
final class RotatedLogTest {
  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path directory;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Path log;

  private Instant now = START;

  @BeforeEach
  void beginLog() throws IOException {
    log = Files.createFile(directory.resolve("0.log"));
    Files.createFile(directory.resolve("1.log")); // of the next instance
  }

  private void write(String... texts) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (String text : texts) {
      lines.append(line(text));
    }
    Files.writeString(log, lines, StandardOpenOption.APPEND);
  }

  private static String line(String text) {
    return "2026-01-02T03:04:05.1Z stdout F " + text + "\n";
  }

  private Path rename(int files) throws IOException {
    now = now.plusSeconds(10);
    return new LogRotation(log, files).rename(now);
  }

  private void rotate(int files) throws IOException {
    rename(files);
    Files.createFile(log);
  }

  private LogCursor cursor(@Nullable Long tail) {
    return cursor(tail, false);
  }

  private LogCursor cursor(@Nullable Long tail, boolean follow) {
    ContainerTarget target = new ContainerTarget(new PodRef("n", "p", "u"), "node", "main", "");
    return new LogCursor(
        new RotatedLog(log),
        new LogRequest(target, follow, false, false, null, tail, null, Stream.ALL));
  }

  private static List<String> read(LogCursor cursor) throws IOException {
    Buffer all = Buffer.buffer();
    for (Buffer next = cursor.read(); next != null; next = cursor.read()) {
      all.appendBuffer(next);
    }
    return all.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private List<String> read(@Nullable Long tail) throws IOException {
    try (LogCursor cursor = cursor(tail)) {
      return read(cursor);
    }
  }

  private List<String> names() {
    return java.util.Arrays.stream(java.util.Objects.requireNonNull(directory.toFile().list()))
        .filter(name -> name.startsWith("0."))
        .sorted()
        .toList();
  }

  @Test
  void theNewestRotatedFileStaysAsItIsAndOthersAreCompressed() throws IOException {
    for (int i = 0; i < 6; i++) {
      write("line " + i);
      rotate(4);
    }

    assertThat(names())
        .containsExactly(
            "0.log",
            "0.log.20260102-030445.gz",
            "0.log.20260102-030455.gz",
            "0.log.20260102-030505");
    write("line 6");
    assertThat(read((Long) null)).containsExactly("line 3", "line 4", "line 5", "line 6");
    assertThat(read(3L)).containsExactly("line 4", "line 5", "line 6");
    assertThat(read(0L)).isEmpty();
  }

  @Test
  void aReaderIsNotDisturbedByAnyNumberOfRotations() throws IOException {
    for (int rotations = 1; rotations < 4; rotations++) {
      write("a" + rotations, "b");
      try (LogCursor cursor = cursor(2L, true)) {
        assertThat(read(cursor)).containsExactly("a" + rotations, "b");
        write("unread");
        rotate(10);
        for (int i = 1; i < rotations; i++) {
          write("in between " + i);
          rotate(10);
        }
        write("last");

        List<String> rest = read(cursor);

        assertThat(rest).startsWith("unread").endsWith("last").hasSize(rotations + 1);
      }
    }
  }

  @Test
  void aReaderGoesOnWithTheOldestFileThatIsLeft() throws IOException {
    write("first");
    try (LogCursor cursor = cursor(null)) {
      assertThat(read(cursor)).containsExactly("first");
      for (int i = 0; i < 5; i++) {
        rotate(3);
        write("line " + i);
      }
      assertThat(read(cursor)).containsExactly("line 2", "line 3", "line 4");
    }
  }

  @Test
  void betweenTheRenameAndTheNewFileTheWriterGoesOn() throws IOException {
    write("a");
    try (LogCursor cursor = cursor(null)) {
      assertThat(read(cursor)).containsExactly("a");
      Path renamed = rename(3);
      Files.writeString(renamed, line("b"), StandardOpenOption.APPEND);
      assertThat(read(cursor)).containsExactly("b");
      assertThat(read((Long) null)).containsExactly("a", "b");
      assertThat(read(1L)).containsExactly("b");
      Files.writeString(renamed, line("c"), StandardOpenOption.APPEND);
      Files.createFile(log);
      write("d");
      assertThat(read(cursor)).containsExactly("c", "d");
    }
  }

  @Test
  void aRenameIsUndoneUnlessThereIsANewFile() throws IOException {
    LogRotation rotation = new LogRotation(log, 3);
    write("a");
    Path renamed = rotation.rename(now);
    assertThat(rotation.size()).isEqualTo(-1);

    rotation.undo(renamed);

    assertThat(names()).containsExactly("0.log");
    renamed = rotation.rename(now);
    Files.createFile(log);
    rotation.undo(renamed);
    assertThat(names()).hasSize(2);
    assertThatThrownBy(() -> rotation.rename(now)).hasMessageContaining("in this second already");
    assertThat(log).exists();
  }

  /** An agent that ends while it compresses leaves a part, or a file in both forms. */
  @Test
  void whatAnInterruptedCompressionLeftIsRemoved() throws IOException {
    write("a");
    rotate(5);
    write("b");
    Files.createFile(directory.resolve("0.log.20260102-030415.gz"));
    Files.createFile(directory.resolve("0.log.20260102-030415.tmp"));
    Files.createFile(directory.resolve("0.log.other"));
    assertThat(read((Long) null)).containsExactly("a", "b");

    rotate(5);

    assertThat(names())
        .containsExactly(
            "0.log", "0.log.20260102-030415.gz", "0.log.20260102-030425", "0.log.other");
    assertThat(read((Long) null)).containsExactly("a", "b");
  }

  @Test
  void aLogWithoutFilesIsEmpty() throws IOException {
    Files.delete(log);

    assertThat(read((Long) null)).isEmpty();
    assertThat(read(1L)).isEmpty();
    assertThat(new LogRotation(log, 2).size()).isEqualTo(-1);
  }

  @Test
  void linesAreReadWhateverTheirNumber() throws IOException {
    for (int i = 0; i < 3; i++) {
      int from = i * 5000;
      write(IntStream.range(from, from + 5000).mapToObj(n -> "n" + n).toArray(String[]::new));
      rotate(5);
    }

    assertThat(read(12_000L)).hasSize(12_000).startsWith("n3000").endsWith("n14999");
  }
}
