package dev.vertlet.auth;

import dev.vertlet.auth.file.FileWatch;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads the authorities from {@code server.authentication.clientCAFile} and reloads them. */
public final class FileAuthorities {
  private static final Logger LOG = LoggerFactory.getLogger(FileAuthorities.class);

  private FileAuthorities() {}

  /**
   * Reads the file and reloads it when it changes; an invalid new file leaves the authorities
   * unchanged.
   *
   * @return fails when the file is invalid at first, with a line that names key and file
   */
  static Future<FileWatch> follow(
      Vertx vertx, Path file, Duration interval, ClientAuthorities authorities) {
    List<Path> files = List.of(file);
    return vertx
        .executeBlocking(() -> read(file, authorities), false)
        .map(
            first ->
                FileWatch.start(
                    vertx, files, interval, first, next -> changed(file, next, authorities)));
  }

  /**
   * Reads and validates the file. Blocks.
   *
   * @return its contents
   * @throws VertxException with a line that names key and file when it is invalid
   */
  public static List<byte[]> read(Path file, ClientAuthorities authorities) {
    try {
      List<byte[]> contents = FileWatch.read(List.of(file));
      authorities.replace(CaBundle.parse(contents.get(0)));
      return contents;
    } catch (IOException | RuntimeException e) {
      throw VertxException.noStackTrace(
          "server.authentication.clientCAFile %s cannot be used: %s"
              .formatted(file, FileWatch.reason(e)),
          e);
    }
  }

  private static void changed(Path file, List<byte[]> contents, ClientAuthorities authorities) {
    try {
      authorities.replace(CaBundle.parse(contents.get(0)));
      LOG.atInfo()
          .addKeyValue("file", file)
          .addKeyValue("authorities", authorities.current().certificates().size())
          .log("authorities of client certificates changed");
    } catch (IllegalArgumentException e) {
      LOG.atWarn()
          .addKeyValue("file", file)
          .addKeyValue("error", e.getMessage())
          .log("new authorities of client certificates are invalid; the current ones stay in use");
    }
  }
}
