package dev.vertlet.cri.logs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.ManualClock;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogRotatorTest {
  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");
  private static final LogRotator.Limits LIMITS = new LogRotator.Limits(100, 3);

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path directory;

  private final Vertx vertx = Vertx.vertx();
  private final ManualClock clock = new ManualClock(START);
  private final List<String> reopened = new ArrayList<>();
  private final List<LogRotator.Target> targets = new ArrayList<>();

  @AfterEach
  void close() {
    Waits.get(vertx.close());
  }

  private Path log(String id) {
    return directory.resolve(id).resolve("0.log");
  }

  private void container(String id, int bytes) throws IOException {
    Files.createDirectories(log(id).getParent());
    Files.writeString(log(id), "x".repeat(bytes));
    targets.add(new LogRotator.Target(id, log(id)));
  }

  private Future<Void> open(String id) {
    reopened.add(id);
    try {
      Files.writeString(log(id), "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Future.succeededFuture();
  }

  private LogRotator rotator(Function<String, Future<Void>> reopen) {
    return new LogRotator(vertx, clock, () -> targets, reopen, LIMITS);
  }

  private List<String> files(String id) throws IOException {
    try (Stream<Path> all = Files.list(Objects.requireNonNull(log(id).getParent()))) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void logsThatHaveGrownAreRotated() throws IOException {
    container("small", 99);
    container("large", 100);

    Waits.get(rotator(this::open).run());

    assertThat(reopened).containsExactly("large");
    assertThat(files("small")).containsExactly("0.log");
    assertThat(files("large")).containsExactly("0.log", "0.log.20260102-030405");
  }

  @Test
  void oldFilesAreCompressedAndThenRemoved() throws IOException {
    container("c", 100);
    LogRotator rotator = rotator(this::open);
    for (int i = 0; i < 5; i++) {
      Waits.get(rotator.run());
      Files.writeString(log("c"), "x".repeat(100));
      clock.advance(Duration.ofSeconds(10));
    }

    assertThat(files("c"))
        .containsExactly("0.log", "0.log.20260102-030435.gz", "0.log.20260102-030445");
  }

  @Test
  void aRuntimeThatDoesNotReopenGoesOnWithTheOldFile() throws IOException {
    container("c", 100);
    container("other", 100);

    Waits.get(rotator(id -> id.equals("c") ? Future.failedFuture("no") : open(id)).run());

    assertThat(files("c")).containsExactly("0.log");
    assertThat(log("c")).hasSize(100);
    assertThat(reopened).as("others are rotated all the same").containsExactly("other");
  }

  /** The answer was lost, or came too late. */
  @Test
  void aFileThatWasReopenedInSpiteOfAFailureStays() throws IOException {
    container("c", 100);

    Waits.get(rotator(id -> open(id).compose(done -> Future.failedFuture("lost"))).run());

    assertThat(files("c")).containsExactly("0.log", "0.log.20260102-030405");
    assertThat(log("c")).isEmptyFile();
  }

  @Test
  void aLogWithoutAFileIsReopened() throws IOException {
    container("c", 100);
    Files.move(log("c"), log("c").resolveSibling("0.log.20260102-030401"));

    Waits.get(rotator(this::open).run());

    assertThat(reopened).containsExactly("c");
    assertThat(files("c")).containsExactly("0.log", "0.log.20260102-030401");
  }

  @Test
  void aLogIsNotRotatedTwiceAtATime() throws IOException {
    container("c", 100);
    Promise<Void> answer = Promise.promise();
    Promise<Void> asked = Promise.promise();
    LogRotator rotator =
        rotator(
            id -> {
              reopened.add(id);
              asked.complete();
              return answer.future();
            });

    Future<Void> first = rotator.run();
    Waits.get(asked.future());
    Future<Void> second = rotator.run();
    answer.complete();
    Waits.get(first);
    Waits.get(second);

    assertThat(reopened).containsExactly("c");
  }
}
