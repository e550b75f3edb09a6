package dev.vertlet.auth;

import static dev.vertlet.testsupport.Waits.get;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.auth.tls.RequestedCertificate;
import dev.vertlet.auth.tls.ServingCertificates;
import dev.vertlet.auth.tls.TestAuthority;
import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.loop.Env;
import dev.vertlet.testsupport.TestHttp;
import dev.vertlet.testsupport.TestHttp.Answer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Function;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * An HTTPS server as a kubelet's, beside an embedded API server: its routes answer with the user
 * who asks. Used on the test's thread.
 */
public final class HttpsLab {
  static final KubeletAccess.Pace FAST =
      new KubeletAccess.Pace(
          backoff(1, 5),
          Duration.ofMillis(20),
          new PublishedAuthorities.Pace(backoff(5, 20), backoff(5, 20)));

  public static final ServingCertificates.Pace FAST_CERTIFICATES =
      new ServingCertificates.Pace(
          Duration.ofMillis(20),
          Duration.ofMillis(20),
          new RequestedCertificate.Pace(
              Duration.ofMillis(20), backoff(5, 20), backoff(5, 20), backoff(30, 60)));

  private final Vertx vertx;
  private final Context loop;
  private final EmbeddedApiServer api;
  private final KubeClient kube;
  final MeterRegistry metrics = new SimpleMeterRegistry();

  public HttpsLab(Vertx vertx) {
    this.vertx = vertx;
    this.loop = vertx.getOrCreateContext();
    this.api = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
    this.kube =
        on(
            () ->
                KubeClient.create(
                    vertx,
                    KubeClientOptions.defaults(),
                    ApiAccess.of(api.url(), api.token()),
                    new SimpleMeterRegistry()));
  }

  private static Backoff backoff(int min, int max) {
    return new Backoff(Duration.ofMillis(min), Duration.ofMillis(max), 1.5, 0);
  }

  public EmbeddedApiServer api() {
    return api;
  }

  public KubeClient kube() {
    return kube;
  }

  /** Runs on the loop that all of this lives on. */
  public <T> T on(Callable<Future<T>> task) {
    Promise<T> promise = Promise.promise();
    loop.runOnContext(
        v -> {
          try {
            task.call().onComplete(promise);
          } catch (Exception e) {
            promise.fail(e);
          }
        });
    return get(promise.future());
  }

  public KubeletAccess access(Authentication authentication, Authorization authorization) {
    return on(
        () ->
            KubeletAccess.open(
                vertx,
                kube,
                authentication,
                authorization,
                new Env(Clock.systemUTC(), System::nanoTime, new SplittableRandom(1), metrics),
                FAST));
  }

  /** A server whose answer is the user, or what the refusal says. */
  public HttpServer serve(HttpServerOptions options, AccessControl access, String... subresources) {
    return on(
        () ->
            vertx
                .createHttpServer(options.setHost("127.0.0.1").setPort(0))
                .requestHandler(
                    request ->
                        access
                            .admit(request, "n1", List.of(subresources))
                            .onSuccess(
                                user ->
                                    request
                                        .response()
                                        .putHeader(
                                            "left",
                                            String.valueOf(request.getHeader("Authorization"))
                                                + ' '
                                                + request.getHeader("Sec-WebSocket-Protocol"))
                                        .end(user.name() + " " + user.groups()))
                            .onFailure(
                                failure -> {
                                  AccessDeniedException denied = (AccessDeniedException) failure;
                                  request
                                      .response()
                                      .setStatusCode(denied.status())
                                      .end(denied.text());
                                }))
                .listen());
  }

  /** A client of one connection. */
  public static final class Client {
    private final HttpClientOptions options = TestHttp.trustingOptions();
    private final List<String> headers = new ArrayList<>();
    private HttpMethod method = HttpMethod.GET;

    Client with(TestAuthority.@Nullable Issued certificate) {
      if (certificate != null) {
        options.setKeyCertOptions(
            new PemKeyCertOptions()
                .addCertValue(Buffer.buffer(certificate.certificate()))
                .addKeyValue(Buffer.buffer(certificate.key())));
      }
      return this;
    }

    Client with(String header, String value) {
      headers.addAll(List.of(header, value));
      return this;
    }

    Client token(String token) {
      return with("Authorization", "Bearer " + token);
    }

    Client method(HttpMethod verb) {
      method = verb;
      return this;
    }

    public Client protocol(String only) {
      options.setEnabledSecureTransportProtocols(Set.of(only));
      return this;
    }

    Client http2() {
      options.setUseAlpn(true).setProtocolVersion(HttpVersion.HTTP_2);
      return this;
    }

    public Future<Answer> call(Vertx vertx, int port) {
      return call(vertx, port, answer -> answer);
    }

    /** Whom the client speaks to. */
    public Future<X509Certificate> server(Vertx vertx, int port) {
      return call(vertx, port, Client::server);
    }

    private <T> Future<T> call(Vertx vertx, int port, Function<Answer, T> whileConnected) {
      TestHttp http = new TestHttp(vertx.createHttpClient(options));
      return http.send(port, method, "/", headers.toArray(String[]::new))
          .map(whileConnected)
          .eventually(http.client()::close);
    }

    private static X509Certificate server(Answer answer) {
      try {
        HttpConnection connection = answer.response().request().connection();
        return (X509Certificate) connection.peerCertificates().get(0);
      } catch (SSLPeerUnverifiedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
