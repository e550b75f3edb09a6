package dev.vertlet.auth;

import dev.vertlet.auth.file.FileWatch;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.VertxException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a bearer token from a file and reloads it when it changes; a new file without a token
 * leaves the old token in use. Confined to its context.
 */
public final class TokenFileVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(TokenFileVerticle.class);

  /** A b64token of RFC 6750 that is too long to guess. */
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]{16,4096}=*");

  private final String key;
  private final Path file;
  private final Duration interval;
  private byte[] token = {};
  private @Nullable FileWatch watch;

  /**
   * @param key key of the configuration, for messages
   */
  public TokenFileVerticle(String key, Path file) {
    this(key, file, FileWatch.INTERVAL);
  }

  TokenFileVerticle(String key, Path file, Duration interval) {
    this.key = key;
    this.file = file;
    this.interval = interval;
  }

  /** Reads the token; fails with a line that names key and file when the file has none. */
  @Override
  public Future<?> start() {
    List<Path> files = List.of(file);
    return vertx
        .executeBlocking(() -> FileWatch.read(files), false)
        .map(
            contents -> {
              token = parse(contents.get(0));
              watch = FileWatch.start(vertx, files, interval, contents, this::changed);
              return contents;
            })
        .recover(failure -> Future.failedFuture(unusable(failure)));
  }

  @Override
  public Future<?> stop() {
    return watch == null ? Future.succeededFuture() : watch.close();
  }

  private VertxException unusable(Throwable failure) {
    return VertxException.noStackTrace(
        "%s %s cannot be used: %s".formatted(key, file, FileWatch.reason(failure)), failure);
  }

  private static byte[] parse(byte[] content) {
    String text = new String(content, StandardCharsets.UTF_8).strip();
    if (!TOKEN.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "must hold one token of 16 to 4096 letters, digits and -._~+/");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void changed(List<byte[]> contents) {
    try {
      token = parse(contents.get(0));
      LOG.atInfo().addKeyValue("file", file).log("{} changed", key);
    } catch (IllegalArgumentException e) {
      LOG.atWarn()
          .addKeyValue("file", file)
          .addKeyValue("error", e.getMessage())
          .log("new {} is invalid; the previous token stays in use", key);
    }
  }

  /** Returns whether the request has the token and, if so, removes it from the headers. */
  public boolean admits(HttpServerRequest request) {
    Optional<String> sent = RequestToken.bearer(request.getHeader(HttpHeaders.AUTHORIZATION));
    boolean same =
        token.length > 0
            && sent.isPresent()
            && MessageDigest.isEqual(sent.get().getBytes(StandardCharsets.UTF_8), token);
    if (same) {
      request.headers().remove(HttpHeaders.AUTHORIZATION);
    }
    return same;
  }
}
