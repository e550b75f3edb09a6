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
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * {@link Fetch} over HTTP and HTTPS; redirects are followed, the JDK's authorities trusted.
 * Confined to one context.
 */
public final class UrlFetch implements Fetch {
  /** The kubelet's, for the whole answer. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static final int OK = 200;

  private final Vertx vertx;
  private final long timeout;

  /** Made with the first request: most agents ask nobody. */
  private @Nullable HttpClient client;

  public UrlFetch(Vertx vertx) {
    this(vertx, TIMEOUT);
  }

  UrlFetch(Vertx vertx, Duration timeout) {
    this.vertx = vertx;
    this.timeout = timeout.toMillis();
  }

  private HttpClient client() {
    HttpClient made = client;
    if (made == null) {
      HttpClientOptions options = new HttpClientOptions().setConnectTimeout((int) timeout);
      made = vertx.createHttpClient(options);
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
    return client().request(request).compose(asked -> answer(asked, maxBytes));
  }

  /** Getting a connection has a time-out of its own. */
  private Future<Buffer> answer(HttpClientRequest asked, int maxBytes) {
    return asked
        .send()
        .compose(answer -> body(answer, maxBytes))
        .timeout(timeout, MILLISECONDS)
        .onFailure(late -> asked.reset());
  }

  private static Future<Buffer> body(HttpClientResponse answer, int maxBytes) {
    if (answer.statusCode() != OK) {
      answer.exceptionHandler(ignored -> {}); // of the reset
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
