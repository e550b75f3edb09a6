package dev.vertlet.host.logs;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogCursorTest {
  private static final String TIME = "2026-01-02T03:04:%02d.000000000Z";

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path directory;

  @SuppressWarnings("NullAway.Init") // set before each test
  private LogSegments segments;

  @BeforeEach
  void beginLog() throws IOException {
    segments = new LogSegments(directory);
    Files.createFile(directory.resolve(LogSegments.CURRENT));
  }

  private static String line(int second, String stream, String tag, String text) {
    return TIME.formatted(second) + " " + stream + " " + tag + " " + text + "\n";
  }

  private static String out(int second) {
    return line(second, "stdout", "F", "o" + second);
  }

  private void write(String... lines) throws IOException {
    Files.writeString(
        directory.resolve(LogSegments.CURRENT), String.join("", lines), StandardOpenOption.APPEND);
  }

  private void rotate() throws IOException {
    Files.move(
        directory.resolve(LogSegments.CURRENT),
        directory.resolve("log.%06d".formatted(segments.newest())));
    Files.createFile(directory.resolve(LogSegments.CURRENT));
  }

  private static LogRequest request(
      boolean timestamps,
      @Nullable Instant since,
      @Nullable Long tail,
      @Nullable Long limit,
      Stream stream) {
    ContainerTarget target = new ContainerTarget(new PodRef("n", "p", "u"), "node", "main", "");
    return new LogRequest(target, false, false, timestamps, since, tail, limit, stream);
  }

  private static String read(LogCursor cursor) throws IOException {
    Buffer all = Buffer.buffer();
    for (Buffer next = cursor.read(); next != null; next = cursor.read()) {
      all.appendBuffer(next);
    }
    return all.toString(StandardCharsets.UTF_8);
  }

  private String read(LogRequest request) throws IOException {
    try (LogCursor cursor = new LogCursor(segments, request)) {
      return read(cursor);
    }
  }

  private String tail(long lines) throws IOException {
    return read(request(false, null, lines, null, Stream.ALL));
  }

  @Test
  void readsAllFilesInOrder() throws IOException {
    write(out(1));
    rotate();
    write(out(2), out(3));
    rotate();
    write(out(4));

    assertThat(read(request(false, null, null, null, Stream.ALL))).isEqualTo("o1\no2\no3\no4\n");
  }

  @Test
  void findsTheLastLinesAcrossFiles() throws IOException {
    for (int i = 0; i < 5; i++) {
      write(out(2 * i), out(2 * i + 1));
      rotate();
    }

    assertThat(tail(0)).isEmpty();
    assertThat(tail(1)).isEqualTo("o9\n");
    assertThat(tail(3)).isEqualTo("o7\no8\no9\n");
    assertThat(tail(10)).hasLineCount(10);
    assertThat(tail(Long.MAX_VALUE)).hasLineCount(10);
  }

  @Test
  void findsTheLastLinesOfALargeFile() throws IOException {
    write(
        IntStream.range(0, 20_000)
            .mapToObj(i -> line(i % 60, i % 7 == 0 ? "stderr" : "stdout", "F", "n" + i))
            .toArray(String[]::new));

    assertThat(tail(5)).isEqualTo("n19995\nn19996\nn19997\nn19998\nn19999\n");
    assertThat(tail(15_000).lines()).hasSize(15_000).startsWith("n5000");
    assertThat(read(request(false, null, 2L, null, Stream.STDERR))).isEqualTo("n19992\nn19999\n");
  }

  @Test
  void aLineOfSeveralPartsIsOneLine() throws IOException {
    write(
        out(1),
        line(2, "stdout", "P", "a"),
        line(3, "stdout", "P", "b"),
        line(4, "stdout", "F", "c"));

    assertThat(tail(1)).isEqualTo("abc\n");
    assertThat(tail(2)).isEqualTo("o1\nabc\n");
    assertThat(read(request(true, null, 1L, null, Stream.ALL)))
        .isEqualTo(TIME.formatted(2) + " abc\n");
  }

  @Test
  void theLastLineNeedsNoEnd() throws IOException {
    write(out(1), out(2), line(3, "stdout", "P", "o3"));

    assertThat(tail(1)).isEqualTo("o3");
    assertThat(tail(2)).isEqualTo("o2\no3");
    assertThat(tail(80)).isEqualTo("o1\no2\no3");
  }

  @Test
  void linesThatAreWrittenMeanwhileAreNotAmongTheLast() throws IOException {
    write(out(1));
    rotate();
    write(out(2));
    LogRequest last = request(false, null, 2L, 100_000L, Stream.ALL);
    try (LogCursor cursor = new LogCursor(segments, last)) {
      Buffer first = cursor.read();
      write(out(3));
      rotate();
      write(out(4));

      assertThat(first).hasToString("o1\n");
      assertThat(read(cursor)).isEqualTo("o2\n");
    }
  }

  @Test
  void selectsByStreamTimeAndSize() throws IOException {
    write(out(1), line(2, "stderr", "F", "e2"), out(3));

    Instant since = Instant.parse(TIME.formatted(2));
    assertThat(read(request(false, null, null, null, Stream.STDERR))).isEqualTo("e2\n");
    assertThat(read(request(false, since, null, null, Stream.ALL))).isEqualTo("e2\no3\n");
    assertThat(read(request(false, since, 1L, null, Stream.ALL))).isEqualTo("o3\n");
    assertThat(read(request(false, since.plusNanos(1), null, null, Stream.ALL))).isEqualTo("o3\n");
    assertThat(read(request(false, null, null, 4L, Stream.ALL))).isEqualTo("o1\ne");
  }

  @Test
  @Tag("P08")
  void followsTheLogWhenItIsRotated() throws IOException {
    LogRequest all = request(false, null, null, null, Stream.ALL);
    try (LogCursor cursor = new LogCursor(segments, all)) {
      write(out(1));
      assertThat(read(cursor)).isEqualTo("o1\n");
      write(out(2));
      rotate();
      assertThat(read(cursor)).isEqualTo("o2\n");
      rotate();
      write(out(3));
      rotate();
      write(out(4));
      assertThat(read(cursor)).isEqualTo("o3\no4\n");
    }
  }

  @Test
  void waitsForTheEndOfALine() throws IOException {
    LogRequest all = request(false, null, null, null, Stream.ALL);
    try (LogCursor cursor = new LogCursor(segments, all)) {
      write(out(1).substring(0, 20));
      assertThat(read(cursor)).isEmpty();
      write(out(1).substring(20));
      assertThat(read(cursor)).isEqualTo("o1\n");
    }
  }

  @Test
  void aFollowerWhoseFileWasRemovedGoesOnWithTheOldest() throws IOException {
    LogRequest all = request(false, null, null, null, Stream.ALL);
    try (LogCursor cursor = new LogCursor(segments, all)) {
      write(out(1));
      assertThat(read(cursor)).isEqualTo("o1\n");
      write(out(2));
      for (int i = 3; i < 6; i++) {
        rotate();
        write(out(i));
      }
      Files.delete(directory.resolve("log.000001"));
      Files.delete(directory.resolve("log.000002"));

      assertThat(read(cursor)).isEqualTo("o2\no4\no5\n");
    }
  }

  @Test
  void goesOnWithTheOldestFileThatIsLeft() throws IOException {
    LogRequest all = request(false, null, null, null, Stream.ALL);
    try (LogCursor cursor = new LogCursor(segments, all)) {
      write(out(1));
      assertThat(read(cursor)).isEqualTo("o1\n");
      for (int i = 2; i < 6; i++) {
        rotate();
        write(out(i));
      }
      Files.delete(directory.resolve("log.000002"));
      Files.delete(directory.resolve("log.000003"));

      assertThat(read(cursor)).isEqualTo("o4\no5\n");
    }
    assertThat(segments.oldest()).isEqualTo(1);
    assertThat(segments.newest()).isEqualTo(5);
    assertThat(List.of(directory.toFile().list())).hasSize(3);
  }

  @Test
  void timesOfAnyLengthAndZoneAreRead() throws IOException {
    write(
        "2026-01-02T03:04:01Z stdout F whole\n",
        "2026-01-02T03:04:01.5Z stderr F half\n",
        "2026-01-02T05:04:02.25+02:00 stdout F:x zone\n",
        "2026-01-02T03:04:03.123456789Z stdout F \n");

    assertThat(read(request(true, null, null, null, Stream.ALL)))
        .isEqualTo(
            """
            2026-01-02T03:04:01.000000000Z whole
            2026-01-02T03:04:01.500000000Z half
            2026-01-02T05:04:02.250000000+02:00 zone
            2026-01-02T03:04:03.123456789Z\s
            """);
    Instant since = Instant.parse("2026-01-02T03:04:01.4Z");
    assertThat(read(request(false, since, null, null, Stream.ALL))).isEqualTo("half\nzone\n\n");
    assertThat(read(request(false, since.plusSeconds(1), null, null, Stream.ALL))).isEqualTo("\n");
    assertThat(tail(2)).isEqualTo("zone\n\n");
  }

  @Test
  void whatIsNoLineOfTheFormatIsLeftOut() throws IOException {
    write(
        out(1),
        "no line\n",
        "\n",
        "2026-01-02T03:04:01Z\n",
        "2026-01-02T03:04:01Z stdout\n",
        "2026-01-02T03:04:01Z stdin F x\n",
        "2026-01-02T03:04:01Z stdout Fx x\n",
        out(2));

    assertThat(read(request(false, null, null, null, Stream.ALL))).isEqualTo("o1\no2\n");
    assertThat(tail(2)).isEqualTo("o1\no2\n");
  }

  /** A runtime may be set not to cut lines. */
  @Test
  void aLineIsLongerThanWhatIsReadAtOnce() throws IOException {
    String text = "x".repeat(200_000);
    write(out(1), line(2, "stdout", "F", text), out(3));

    assertThat(read(request(false, null, null, null, Stream.ALL)))
        .isEqualTo("o1\n" + text + "\no3\n");
    assertThat(tail(2)).isEqualTo(text + "\no3\n");
    assertThat(tail(3)).startsWith("o1\n");
  }
}
