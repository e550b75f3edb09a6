package dev.vertlet.auth.file;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls small files by content instead of modification time, so that it detects the symbolic link
 * swap by which a pod's Secrets are updated. Confined to one context.
 */
public final class FileWatch {
  /** Polling interval; with two equal readings a change counts after at most 4 s. */
  public static final Duration INTERVAL = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);

  private final Vertx vertx;
  private final List<Path> files;
  private final FileChange change;
  private final Consumer<List<byte[]>> changed;
  private final long timer;
  private boolean reading;

  private FileWatch(
      Vertx vertx,
      List<Path> files,
      Duration interval,
      List<byte[]> first,
      Consumer<List<byte[]>> changed) {
    this.vertx = vertx;
    this.files = files;
    this.change = new FileChange(first);
    this.changed = changed;
    this.timer = vertx.setPeriodic(interval.toMillis(), id -> look());
  }

  /**
   * Starts watching.
   *
   * @param first contents of the files at the last reading
   * @param changed receives the new contents, in the order of the files, on the current context
   */
  public static FileWatch start(
      Vertx vertx,
      List<Path> files,
      Duration interval,
      List<byte[]> first,
      Consumer<List<byte[]>> changed) {
    return new FileWatch(vertx, files, interval, first, changed);
  }

  /**
   * Reads the files. Blocks.
   *
   * @throws IOException of the first file that cannot be read
   */
  public static List<byte[]> read(List<Path> files) throws IOException {
    List<byte[]> contents = new ArrayList<>();
    for (Path file : files) {
      contents.add(Files.readAllBytes(file));
    }
    return contents;
  }

  /** Describes for the user why a file cannot be read. */
  public static String reason(Throwable failure) {
    if (failure instanceof NoSuchFileException) {
      return "no such file";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    return String.valueOf(failure.getMessage());
  }

  private void look() {
    if (reading) {
      return;
    }
    reading = true;
    vertx
        .executeBlocking(() -> read(files), false)
        .onComplete(
            done -> {
              reading = false;
              if (done.failed()) {
                failed(done.cause());
              } else if (change.read(done.result())) {
                changed.accept(done.result());
              }
            });
  }

  private void failed(Throwable failure) {
    if (change.failed()) {
      LOG.atWarn()
          .addKeyValue("files", files)
          .addKeyValue("error", reason(failure))
          .log("files cannot be read; what was read before stays in use");
    }
  }

  public Future<Void> close() {
    vertx.cancelTimer(timer);
    return Future.succeededFuture();
  }
}
