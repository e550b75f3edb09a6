package dev.vertlet.remote.client;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Bearer token and certificates in files that their owner replaces. Confined to one context. */
final class BackendCredentials {
  private static final Logger LOG = LoggerFactory.getLogger(BackendCredentials.class);

  /** A call may use files that were read this long ago; a 401 reads them at once. */
  private static final Duration FRESH = Duration.ofSeconds(1);

  private static final Buffer NONE = Buffer.buffer();

  private final Vertx vertx;
  private final Clock clock;
  private final RemoteSettings settings;
  private final Function<ClientSSLOptions, Future<Void>> certificates;
  private @Nullable Files current;
  private Instant readAt = Instant.MIN;
  private String lastProblem = "";
  private @Nullable Future<String> reading;

  /** Content of the files; empty for those that are not configured. */
  private record Files(Buffer token, Buffer authorities, Buffer certificate, Buffer key) {
    String authorization() {
      return token.length() == 0 ? "" : "Bearer " + token.toString(StandardCharsets.UTF_8).strip();
    }

    boolean sameCertificates(Files other) {
      return authorities.equals(other.authorities)
          && certificate.equals(other.certificate)
          && key.equals(other.key);
    }

    ClientSSLOptions ssl() {
      ClientSSLOptions ssl = new ClientSSLOptions().setHostnameVerificationAlgorithm("HTTPS");
      if (authorities.length() > 0) {
        ssl.setTrustOptions(new PemTrustOptions().addCertValue(authorities));
      }
      if (certificate.length() > 0) {
        ssl.setKeyCertOptions(new PemKeyCertOptions().addCertValue(certificate).addKeyValue(key));
      }
      return ssl;
    }

    /** Leaves out what the files have. */
    @Override
    public String toString() {
      return "Files";
    }
  }

  /**
   * @param certificates uses other certificates for new connections; fails if they cannot be used
   */
  BackendCredentials(
      Vertx vertx,
      Clock clock,
      RemoteSettings settings,
      Function<ClientSSLOptions, Future<Void>> certificates) {
    this.vertx = vertx;
    this.clock = clock;
    this.settings = settings;
    this.certificates = certificates;
  }

  /** Whether reading the files again may help against a 401. */
  boolean inFiles() {
    return !paths().stream().allMatch(String::isEmpty);
  }

  private List<String> paths() {
    RemoteSettings.Tls tls = settings.tls();
    return List.of(settings.tokenFile(), tls.caFile(), tls.certFile(), tls.keyFile());
  }

  /**
   * Returns the value of the header {@code Authorization}, empty for none, once the certificates
   * are in use.
   *
   * @return fails when a file cannot be used and never could
   */
  Future<String> header() {
    boolean fresh = current != null && readAt.plus(FRESH).isAfter(clock.instant());
    return inFiles() && !fresh ? read() : Future.succeededFuture(authorization());
  }

  private String authorization() {
    Files known = current;
    return known == null ? "" : known.authorization();
  }

  /** Reads the files now. After a failure the last ones stay in use. */
  Future<String> read() {
    Future<String> running = reading;
    if (running != null) {
      return running;
    }
    Future<String> result = contents().compose(this::take).recover(this::keep);
    reading = result;
    return result.onComplete(done -> reading = null);
  }

  private Future<Files> contents() {
    List<Future<Buffer>> all = paths().stream().map(this::content).toList();
    return Future.all(all)
        .map(
            read ->
                new Files(
                    all.get(0).result(),
                    all.get(1).result(),
                    all.get(2).result(),
                    all.get(3).result()));
  }

  private Future<Buffer> content(String path) {
    return path.isEmpty()
        ? Future.succeededFuture(NONE)
        : vertx
            .fileSystem()
            .readFile(path)
            .recover(failure -> Future.failedFuture("the file " + path + " cannot be read"));
  }

  private Future<String> take(Files next) {
    Files known = current;
    boolean same = known == null ? !settings.secure() : known.sameCertificates(next);
    Future<Void> used = same ? Future.succeededFuture() : use(next.ssl());
    return used.map(
        done -> {
          current = next;
          lastProblem = "";
          readAt = clock.instant();
          return next.authorization();
        });
  }

  /** Reads the certificates first: clients would take those that are none, and fail with them. */
  private Future<Void> use(ClientSSLOptions ssl) {
    return vertx
        .executeBlocking(
            () -> {
              if (ssl.getTrustOptions() != null) {
                ssl.getTrustOptions().getTrustManagerFactory(vertx);
              }
              if (ssl.getKeyCertOptions() != null) {
                ssl.getKeyCertOptions().getKeyManagerFactory(vertx);
              }
              return ssl;
            })
        .compose(certificates)
        .recover(
            failure ->
                Future.failedFuture("the certificates cannot be used: " + failure.getMessage()));
  }

  private Future<String> keep(Throwable failure) {
    if (current == null) {
      return Future.failedFuture(failure);
    }
    readAt = clock.instant();
    String problem = String.valueOf(failure.getMessage());
    if (!problem.equals(lastProblem)) {
      lastProblem = problem;
      LOG.atWarn()
          .addKeyValue("url", settings.display())
          .addKeyValue("error", problem)
          .log("credentials of the back end were not renewed");
    }
    return Future.succeededFuture(authorization());
  }
}
