package dev.vertlet.testsupport;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;

/**
 * Client of HTTP servers on 127.0.0.1. A test keeps a reference as long as it uses the client:
 * Vert.x closes unreferenced clients.
 */
public final class TestHttp {
  private final HttpClient client;

  /** Response whose body was read to the end. */
  public record Answer(int status, String body, HttpClientResponse response) {
    /** Status and body in one text, for example {@code 404 not found}. */
    public String text() {
      return status + " " + body;
    }

    /** The Content-Type; the text {@code null} without one. */
    public String type() {
      return String.valueOf(response.getHeader("Content-Type"));
    }
  }

  public TestHttp(HttpClient client) {
    this.client = client;
  }

  /** Creates a client without TLS. */
  public static TestHttp plain(Vertx vertx) {
    return new TestHttp(vertx.createHttpClient());
  }

  /** Creates a client that trusts every server. */
  public static TestHttp trusting(Vertx vertx) {
    return new TestHttp(vertx.createHttpClient(trustingOptions()));
  }

  /** Options of a client that trusts every server. */
  public static HttpClientOptions trustingOptions() {
    return new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false);
  }

  /** Authorization header with a bearer token, for the methods that take headers. */
  public static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  /** The underlying client, for requests beyond one request and one response. */
  public HttpClient client() {
    return client;
  }

  /**
   * Sends a request without a body.
   *
   * @param headers names and values, alternating
   * @return fails without a response
   */
  public Future<Answer> send(int port, HttpMethod method, String path, String... headers) {
    return send(port, method, path, Buffer.buffer(), headers);
  }

  private Future<Answer> send(
      int port, HttpMethod method, String path, Buffer body, String... headers) {
    RequestOptions options =
        new RequestOptions().setMethod(method).setHost("127.0.0.1").setPort(port).setURI(path);
    for (int i = 0; i < headers.length; i += 2) {
      options.putHeader(headers[i], headers[i + 1]);
    }
    // all on the client's loop: a body without a reader is lost
    return client.request(options).compose(request -> request.send(body).compose(TestHttp::read));
  }

  private static Future<Answer> read(HttpClientResponse response) {
    return response
        .body()
        .map(body -> new Answer(response.statusCode(), body.toString(), response));
  }

  /** Sends a request without a body and waits for the response. */
  public Answer call(int port, HttpMethod method, String path, String... headers) {
    return Waits.get(send(port, method, path, headers));
  }

  /** Sends a POST with this body and waits for the response. */
  public Answer post(int port, String path, String body, String... headers) {
    return Waits.get(send(port, HttpMethod.POST, path, Buffer.buffer(body), headers));
  }

  /** Sends a GET and waits for the response. */
  public Answer get(int port, String path, String... headers) {
    return call(port, HttpMethod.GET, path, headers);
  }
}
