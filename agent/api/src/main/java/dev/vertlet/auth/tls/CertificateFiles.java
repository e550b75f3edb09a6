package dev.vertlet.auth.tls;

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

/**
 * Serves a certificate from two files and reloads them when they change. Confined to the context
 * that opened it.
 */
public final class CertificateFiles {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateFiles.class);

  private final ServingKeyManager keys;
  private final FileWatch watch;

  private CertificateFiles(ServingKeyManager keys, FileWatch watch) {
    this.keys = keys;
    this.watch = watch;
  }

  private record First(List<byte[]> contents, ServingKey key) {}

  /**
   * Reads the files and reloads them when they change; the next handshake uses the new certificate.
   * Invalid new files leave the old certificate in use.
   *
   * @param section section of the configuration, with a dot at its end, for messages
   * @return fails when the files are invalid at first, with a line that names keys and files
   */
  public static Future<CertificateFiles> follow(
      Vertx vertx, String section, Path certificate, Path key) {
    return follow(vertx, section, certificate, key, FileWatch.INTERVAL);
  }

  static Future<CertificateFiles> follow(
      Vertx vertx, String section, Path certificate, Path key, Duration interval) {
    List<Path> files = List.of(certificate, key);
    return vertx
        .executeBlocking(() -> read(section, certificate, key), false)
        .map(
            first -> {
              ServingKeyManager keys = new ServingKeyManager(first.key);
              FileWatch watch =
                  FileWatch.start(
                      vertx,
                      files,
                      interval,
                      first.contents,
                      next -> changed(vertx, certificate, next, keys));
              return new CertificateFiles(keys, watch);
            });
  }

  /**
   * Validates the files. Blocks.
   *
   * @throws VertxException with a line that names keys and files when they are invalid
   */
  static void check(String section, Path certificate, Path key) {
    var unused = read(section, certificate, key);
  }

  private static First read(String section, Path certificate, Path key) {
    try {
      List<byte[]> contents = FileWatch.read(List.of(certificate, key));
      return new First(contents, ServingKey.parse(contents.get(0), contents.get(1)));
    } catch (IOException | RuntimeException e) {
      throw VertxException.noStackTrace(
          "%1$stlsCertFile %2$s with %1$stlsPrivateKeyFile %3$s cannot be used: %4$s"
              .formatted(section, certificate, key, FileWatch.reason(e)),
          e);
    }
  }

  private static void changed(
      Vertx vertx, Path certificate, List<byte[]> contents, ServingKeyManager keys) {
    vertx
        .executeBlocking(() -> ServingKey.parse(contents.get(0), contents.get(1)), false)
        .onSuccess(
            key -> {
              keys.replace(key);
              LOG.atInfo()
                  .addKeyValue("file", certificate)
                  .log(
                      "serving certificate changed, valid until {}",
                      key.certificate().getNotAfter().toInstant());
            })
        .onFailure(
            failure ->
                LOG.atWarn()
                    .addKeyValue("file", certificate)
                    .addKeyValue("error", FileWatch.reason(failure))
                    .log("new serving certificate is invalid; the current one stays in use"));
  }

  ServingKeyManager keys() {
    return keys;
  }

  /** Returns the certificate for the options of a server. */
  public ServingCertificate certificate() {
    return new ServingCertificate(keys);
  }

  /** Stops watching the files; the certificate stays in use. */
  public void close() {
    watch.close();
  }
}
