package dev.vertlet.api.route;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Serves {@code /logs/}: the files of one directory and none outside it. */
final class FileRoutes {
  private final Vertx vertx;
  private final String directory;

  /**
   * @param directory empty for none
   */
  FileRoutes(Vertx vertx, String directory) {
    this.vertx = vertx;
    this.directory = directory;
  }

  Future<Void> handle(ApiCall call) {
    if (directory.isEmpty()) {
      return Future.failedFuture(new HttpFailure(405, "logs endpoint is disabled.\n"));
    }
    return vertx
        .executeBlocking(() -> find(call.route().rest()), false)
        .compose(
            found ->
                found.listing().length() > 0
                    ? call.answer(200, "text/html; charset=utf-8", found.listing())
                    : send(call, found.file()));
  }

  private static Future<Void> send(ApiCall call, Path file) {
    call.request().resume();
    return call.request()
        .response()
        .putHeader("Content-Type", ApiCall.TEXT)
        .putHeader("X-Content-Type-Options", "nosniff")
        .sendFile(file.toString());
  }

  /**
   * A file or directory.
   *
   * @param listing listing of a directory; empty for a file
   */
  private record Found(Path file, Buffer listing) {}

  /** Finds a file. Symbolic links are followed while they stay inside the directory. */
  private Found find(List<String> segments) {
    try {
      Path root = Path.of(directory).toRealPath();
      Path wanted = root;
      for (String segment : segments) {
        wanted = wanted.resolve(segment);
      }
      Path real = wanted.toRealPath();
      if (!real.startsWith(root)) {
        throw missing();
      }
      if (Files.isDirectory(real)) {
        return new Found(real, listing(real));
      }
      if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
        throw missing(); // opening a pipe may block for ever
      }
      return new Found(real, Buffer.buffer());
    } catch (IOException | java.nio.file.InvalidPathException e) {
      throw missing();
    }
  }

  private static Buffer listing(Path real) throws IOException {
    try (Stream<Path> files = Files.list(real)) {
      StringBuilder html = new StringBuilder("<pre>\n");
      files
          .map(file -> file.getFileName() + (Files.isDirectory(file) ? "/" : ""))
          .sorted()
          .forEach(
              name ->
                  html.append(
                      "<a href=\"%s\">%s</a>\n".formatted(escaped(link(name)), escaped(name))));
      return Buffer.buffer(html.append("</pre>\n").toString());
    }
  }

  /** Returns a relative link, even for a name that looks like a scheme. */
  private static String link(String name) {
    try {
      String path = new URI(null, null, "/" + name, null).getRawPath();
      return name.contains(":") ? "." + path : path.substring(1);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e); // unreachable: every path with a leading slash is valid
    }
  }

  private static String escaped(String name) {
    return name.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("'", "&#39;")
        .replace("\"", "&#34;");
  }

  private static HttpFailure missing() {
    return new HttpFailure(404, "404 page not found\n");
  }
}
