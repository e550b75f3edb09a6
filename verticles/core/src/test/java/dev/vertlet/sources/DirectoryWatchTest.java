package dev.vertlet.sources;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
class DirectoryWatchTest {
  /** Several times between two looks. */
  private static final long OFTEN_MILLIS = 20;

  @TempDir private Path folder;
  private final AtomicInteger quiet = new AtomicInteger();
  private final AtomicInteger busy = new AtomicInteger();

  /** The test is over when the quiet one was heard of: it would never be if it had to wait. */
  @Test
  void aBusyDirectoryKeepsNobodyWaiting(Vertx vertx) throws IOException {
    Path busyOne = Files.createDirectory(folder.resolve("busy"));
    Path quietOne = Files.createDirectory(folder.resolve("quiet"));
    DirectoryWatch watch = get(onLoop(vertx, () -> DirectoryWatch.open(vertx)));
    watch.add(busyOne, busy::incrementAndGet);
    watch.add(quietOne, quiet::incrementAndGet);
    get(onLoop(vertx, () -> refresh(watch, busyOne, quietOne)));
    // a first hint, as something may have changed before it was watched
    eventually(() -> assertThat(quiet).hasValue(1));
    long writer = vertx.setPeriodic(OFTEN_MILLIS, id -> write(busyOne.resolve("web.yaml"), id));

    write(quietOne.resolve("web.yaml"), 1);

    eventually(() -> assertThat(quiet).hasValue(2));
    int heard = busy.get();
    vertx.cancelTimer(writer);
    eventually(() -> assertThat(busy).hasValueGreaterThan(heard));
    get(watch.close());
  }

  private static Future<Void> refresh(DirectoryWatch watch, Path... directories) {
    for (Path directory : directories) {
      watch.refresh(directory);
    }
    return Future.succeededFuture();
  }

  private static <T> Future<T> onLoop(Vertx vertx, java.util.function.Supplier<Future<T>> task) {
    return Future.future(promise -> vertx.runOnContext(ignored -> task.get().onComplete(promise)));
  }

  private static void write(Path file, long text) {
    try {
      Files.writeString(file, "text: " + text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
