package dev.vertlet.harness.fault;

import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.certificates.Identity;
import dev.vertlet.harness.loopback.Kubeconfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A server that stands in for an API server behind the proxy: it echoes, except for watches, which
 * it hands to the test. Its event loop writes the queues, the test reads them.
 */
final class Backend {
  static final String TOKEN = "secret";

  /** A request target that gets no answer. */
  static final String UNANSWERED = "/api/v1/nodes?unanswered";

  final Queue<String> received = new ConcurrentLinkedQueue<>();
  final Queue<String> authorizations = new ConcurrentLinkedQueue<>();
  final BlockingQueue<HttpServerRequest> watches = new LinkedBlockingQueue<>();
  final BlockingQueue<String> cancelled = new LinkedBlockingQueue<>();
  private final CertificateAuthority authority =
      CertificateAuthority.create("backend", Clock.systemUTC());
  private int port;

  static Future<Backend> start(Vertx vertx, ClientAuth clients) {
    Backend backend = new Backend();
    Identity identity = backend.authority.issueServer("backend", List.of(), List.of("127.0.0.1"));
    return vertx
        .createHttpServer(
            new HttpServerOptions()
                .setSsl(true)
                .setClientAuth(clients)
                .setTrustOptions(
                    new PemTrustOptions()
                        .addCertValue(Buffer.buffer(backend.authority.certificatePem())))
                .setKeyCertOptions(
                    new PemKeyCertOptions()
                        .addCertValue(Buffer.buffer(identity.certificatePem()))
                        .addKeyValue(Buffer.buffer(identity.privateKeyPem()))))
        .requestHandler(backend::handle)
        .listen(0, "127.0.0.1")
        .map(HttpServer::actualPort)
        .map(
            actual -> {
              backend.port = actual;
              return backend;
            });
  }

  private void handle(HttpServerRequest request) {
    received.add(request.method() + " " + request.path());
    @Nullable String authorization = request.getHeader("Authorization");
    authorizations.add(authorization == null ? "" : authorization);
    request.response().closeHandler(closed -> cancelled.add(request.uri()));
    if (request.uri().equals(UNANSWERED)) {
      return;
    }
    if (request.uri().contains("watch=true")) {
      request.response().setChunked(true);
      request.response().writeHead().onSuccess(written -> watches.add(request));
      return;
    }
    request
        .body()
        .onSuccess(
            body ->
                request
                    .response()
                    .putHeader("X-Kind", "echo")
                    .end("%s %s %s".formatted(request.method(), request.uri(), body)));
  }

  Path tokenKubeconfig(Path dir) throws IOException {
    return Kubeconfig.withToken(uri(), authority.certificatePem(), TOKEN)
        .writeTo(dir.resolve("token"));
  }

  Path certificateKubeconfig(Path dir) throws IOException {
    Identity client = authority.issueClient("proxy", "system:masters");
    return Kubeconfig.withCertificate(uri(), authority.certificatePem(), client)
        .writeTo(dir.resolve("certificate"));
  }

  private URI uri() {
    return URI.create("https://127.0.0.1:" + port);
  }
}
