package dev.vertlet.fetch;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.vertlet.sources.Fetch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.TrustOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * {@link Fetch} over HTTP and HTTPS. Trusts the JDK's certificate authorities; follows redirects,
 * but never from HTTPS to plain HTTP. Confined to one context.
 */
public final class UrlFetch implements Fetch {
  /** The kubelet's timeout for the whole answer. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static final int OK = 200;

  /** Limit of Go's HTTP client. */
  private static final int MAX_REDIRECTS = 10;

  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  private final Vertx vertx;
  private final long timeout;

  /** Null for the JDK's authorities. */
  private final @Nullable TrustOptions authorities;

  /** Created with the first request: most agents need none. */
  private @Nullable HttpClient client;

  public UrlFetch(Vertx vertx) {
    this(vertx, TIMEOUT, null);
  }

  /**
   * Creates a fetch.
   *
   * @param authorities trusted certificate authorities; null for the JDK's
   */
  UrlFetch(Vertx vertx, Duration timeout, @Nullable TrustOptions authorities) {
    this.vertx = vertx;
    this.timeout = timeout.toMillis();
    this.authorities = authorities;
  }

  private HttpClient client() {
    HttpClient made = client;
    if (made == null) {
      HttpClientOptions options =
          new HttpClientOptions()
              .setConnectTimeout((int) timeout)
              .setMaxRedirects(MAX_REDIRECTS)
              .setTrustOptions(authorities);
      made =
          vertx.httpClientBuilder().with(options).withRedirectHandler(UrlFetch::redirect).build();
      client = made;
    }
    return made;
  }

  @Override
  public Future<Buffer> get(URI url, int maxBytes) {
    RequestOptions request =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setAbsoluteURI(url.toString())
            .setFollowRedirects(true)
            .setTimeout(timeout);
    return client()
        .request(request)
        .compose(asked -> answer(asked, maxBytes))
        .recover(failure -> Future.failedFuture(explained(failure)));
  }

  /** Adds the root cause to a failed handshake, whose own message does not contain it. */
  private static Throwable explained(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return failure instanceof SSLException && cause != failure
        ? new SSLException(failure.getMessage() + ": " + cause.getMessage(), failure)
        : failure;
  }

  /** Returns null if the answer is not a redirect; fails for a forbidden one. */
  private static @Nullable Future<RequestOptions> redirect(HttpClientResponse answer) {
    String location = answer.getHeader(HttpHeaders.LOCATION);
    if (location == null || !REDIRECTS.contains(answer.statusCode())) {
      return null;
    }
    URI from = URI.create(answer.request().absoluteURI());
    URI to;
    try {
      to = from.resolve(location);
    } catch (IllegalArgumentException e) {
      return failed("redirects to \"" + location + "\", which is not an http or https URL");
    }
    boolean secure = "https".equalsIgnoreCase(to.getScheme());
    if (to.getHost() == null || !(secure || "http".equalsIgnoreCase(to.getScheme()))) {
      return failed("redirects to \"" + location + "\", which is not an http or https URL");
    }
    if ("https".equalsIgnoreCase(from.getScheme()) && !secure) {
      // a kubelet follows; but then a man in the middle could write the node's pods
      return failed(
          "redirects to http://%s%s, which is not followed: https must stay https"
              .formatted(
                  to.getHost() + (to.getPort() < 0 ? "" : ":" + to.getPort()), to.getPath()));
    }
    return Future.succeededFuture(
        new RequestOptions().setMethod(HttpMethod.GET).setAbsoluteURI(to.toString()));
  }

  /** Waits for the answer; obtaining the connection has a timeout of its own. */
  private Future<Buffer> answer(HttpClientRequest asked, int maxBytes) {
    return asked
        .send()
        .compose(answer -> body(answer, maxBytes))
        .timeout(timeout, MILLISECONDS)
        .onFailure(late -> asked.reset());
  }

  private static Future<Buffer> body(HttpClientResponse answer, int maxBytes) {
    if (answer.statusCode() != OK) {
      answer.exceptionHandler(ignored -> {}); // caused by the reset
      answer.request().reset();
      return failed(
          "answers %d %s instead of 200 OK".formatted(answer.statusCode(), answer.statusMessage()));
    }
    Promise<Buffer> whole = Promise.promise();
    Buffer body = Buffer.buffer();
    answer.exceptionHandler(whole::tryFail);
    answer.endHandler(end -> whole.tryComplete(body));
    answer.handler(
        chunk -> {
          if (body.length() + chunk.length() > maxBytes) {
            whole.tryFail(new VertxException("has more than " + maxBytes + " bytes", true));
            answer.request().reset();
          } else {
            body.appendBuffer(chunk);
          }
        });
    return whole.future();
  }

  private static <T> Future<T> failed(String reason) {
    return Future.failedFuture(new VertxException(reason, true));
  }
}
