package dev.vertlet.remote;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Bearer token in a file that its owner replaces. Confined to one context. */
final class TokenFile {
  /** A call may carry a token that was read this long ago; a 401 reads the file at once. */
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final Vertx vertx;
  private final Clock clock;
  private final String path;
  private @Nullable String token;
  private Instant readAt = Instant.MIN;

  /**
   * @param path of the file; empty for no token
   */
  TokenFile(Vertx vertx, Clock clock, String path) {
    this.vertx = vertx;
    this.clock = clock;
    this.path = path;
  }

  boolean isPresent() {
    return !path.isEmpty();
  }

  /**
   * Returns the value of the header {@code Authorization}; empty for none.
   *
   * @return fails when the file cannot be read and never could
   */
  Future<String> header() {
    boolean fresh = token != null && readAt.plus(FRESH).isAfter(clock.instant());
    return isPresent() && !fresh ? read() : Future.succeededFuture(value());
  }

  private String value() {
    return token == null ? "" : "Bearer " + token;
  }

  /** Reads the file now. A file that cannot be read any more leaves the last token in use. */
  Future<String> read() {
    return vertx
        .fileSystem()
        .readFile(path)
        .map(
            content -> {
              token = content.toString(StandardCharsets.UTF_8).strip();
              readAt = clock.instant();
              return value();
            })
        .recover(
            failure ->
                token == null
                    ? Future.failedFuture("the token file " + path + " cannot be read")
                    : Future.succeededFuture(value()));
  }
}
