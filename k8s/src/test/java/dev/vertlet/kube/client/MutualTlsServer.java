package dev.vertlet.kube.client;

import static dev.vertlet.testsupport.Waits.get;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import javax.net.ssl.SSLPeerUnverifiedException;

/** An API server that knows its users by their certificates alone. */
public final class MutualTlsServer {
  private static final String NAME = "localhost";

  private final List<String> users = new CopyOnWriteArrayList<>();
  private final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
  private final ClientCertificate identity;
  private final HttpServer server;
  private volatile Predicate<String> accepted = user -> true; // set by tests, read by event loops
  private volatile boolean late; // as well

  private MutualTlsServer(HttpServer server, ClientCertificate identity) {
    this.server = server;
    this.identity = identity;
  }

  /** Handshakes fail without one of these certificates. */
  public static MutualTlsServer start(Vertx vertx, ClientCertificate... trusted) throws Exception {
    ClientCertificate identity = ClientCertificate.of(NAME, ClientCertificate.KeyForm.EC_PKCS8);
    PemTrustOptions trust = new PemTrustOptions();
    for (ClientCertificate certificate : trusted) {
      trust.addCertValue(Buffer.buffer(certificate.pem()));
    }
    HttpServerOptions options =
        new HttpServerOptions()
            .setSsl(true)
            .setUseAlpn(true)
            .setClientAuth(ClientAuth.REQUIRED)
            .setTrustOptions(trust)
            .setKeyCertOptions(
                new PemKeyCertOptions()
                    .addCertValue(Buffer.buffer(identity.pem()))
                    .addKeyValue(Buffer.buffer(identity.keyPem())));
    MutualTlsServer made = new MutualTlsServer(vertx.createHttpServer(options), identity);
    made.server.requestHandler(made::answer);
    get(made.server.listen(0, "127.0.0.1"));
    return made;
  }

  /** Refuses every other user from the next request on with a 401. */
  public void acceptOnly(String user) {
    accepted = user::equals;
  }

  /** As {@link #acceptOnly}, but refuses all but the first once that user was let in. */
  public void acceptOnlyAndRefuseLate(String user) {
    late = true;
    acceptOnly(user);
  }

  /** Who asked, in order, as {@code HTTP_2 CN=user}. */
  public List<String> users() {
    return users;
  }

  /** A kubeconfig whose user is described by these lines of YAML. */
  public String kubeconfig(String user) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: mutual
      cluster:
        server: https://127.0.0.1:%d
        tls-server-name: %s
        certificate-authority-data: %s
    users:
    - name: user
      user:
    %s
    contexts:
    - name: mutual
      context: {cluster: mutual, user: user}
    current-context: mutual
    """
        .formatted(server.actualPort(), NAME, identity.pemBase64(), user.indent(4).stripTrailing());
  }

  private void answer(HttpServerRequest request) {
    String user = user(request);
    boolean first = !users.contains(request.version() + " " + user);
    users.add(request.version() + " " + user);
    if (accepted.test(user)) {
      answer(request, 200);
      for (HttpServerRequest next = held.poll(); next != null; next = held.poll()) {
        answer(next, 401);
      }
    } else if (late && !first) {
      held.add(request);
    } else {
      answer(request, 401);
    }
  }

  private static void answer(HttpServerRequest request, int status) {
    request.response().setStatusCode(status).end("{}");
  }

  private static String user(HttpServerRequest request) {
    try {
      X509Certificate shown = (X509Certificate) request.connection().peerCertificates().get(0);
      return shown.getSubjectX500Principal().getName();
    } catch (SSLPeerUnverifiedException e) {
      return "nobody";
    }
  }
}
