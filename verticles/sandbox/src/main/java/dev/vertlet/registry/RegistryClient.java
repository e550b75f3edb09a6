package dev.vertlet.registry;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.vertlet.model.ImageReference;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.TrustOptions;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to registries, with their authentication: a request without credentials, then one
 * as the registry's challenge requires. Redirects are not followed: registries do not redirect
 * manifests, and credentials must not reach another host. Confined to one context.
 */
final class RegistryClient {
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int MOST_TOKENS = 1000;

  /** Lifetime of a token without {@code expires_in}, by the specification. */
  private static final int TOKEN_SECONDS = 60;

  /** Margin, so that a token does not expire during its request. */
  private static final int SLACK_SECONDS = 10;

  private static final int MAX_TOKEN_BYTES = 1 << 20;

  private record Token(String value, Instant until) {
    @Override
    public String toString() {
      return "Token[until=" + until + "]";
    }
  }

  /**
   * An answer of a registry.
   *
   * @param digest as sent by the registry; empty if missing
   */
  record Answer(String digest, Buffer body) {}

  private record Reply(int status, @Nullable String challenge, Answer answer) {}

  private final ResolverOptions options;
  private final HttpClient client;
  private final Clock clock;
  private final Map<String, Token> tokens = new LinkedHashMap<>();

  /**
   * Creates a client.
   *
   * @param authorities trusted certificate authorities; null for the JDK's
   */
  RegistryClient(
      Vertx vertx, ResolverOptions options, @Nullable TrustOptions authorities, Clock clock) {
    this.options = options;
    this.clock = clock;
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setConnectTimeout((int) options.timeout().toMillis())
                .setTrustOptions(authorities),
            // Vert.x' default of 5 is below the limit of concurrent requests
            new PoolOptions().setHttp1MaxSize(options.perRegistry()));
  }

  /**
   * Requests a manifest.
   *
   * @param method HEAD, or GET for the body, too
   * @param selector tag or digest
   */
  Future<Answer> manifest(HttpMethod method, ImageReference image, String selector, Login login) {
    String url = base(image.registry()) + "/v2/" + image.repository() + "/manifests/" + selector;
    String key = image.registry() + " " + image.repository() + " " + login.hashCode();
    Token known = tokens.get(key);
    String authorization =
        known != null && clock.instant().isBefore(known.until) ? "Bearer " + known.value : "";
    return send(method, url, authorization)
        .compose(
            reply ->
                reply.status == UNAUTHORIZED
                    ? authorize(image, reply.challenge, login, key)
                        .compose(header -> send(method, url, header))
                    : Future.succeededFuture(reply))
        .compose(
            reply ->
                reply.status == OK
                    ? Future.succeededFuture(reply.answer)
                    : failed(method + " " + url + " answers " + reply.status));
  }

  private String base(String registry) {
    String host = registry.equals(ImageReference.DOCKER_HUB) ? "registry-1.docker.io" : registry;
    return (isPlain(registry) ? "http://" : "https://") + host;
  }

  private boolean isPlain(String registry) {
    return options.plainHttp().contains(registry);
  }

  private Future<String> authorize(
      ImageReference image, @Nullable String header, Login login, String key) {
    Optional<Challenge> asked = Challenge.parse(header);
    if (asked.isEmpty()) {
      return failed(image.registry() + " wants credentials of a kind that is not known");
    }
    Challenge challenge = asked.get();
    if (challenge.isBasic()) {
      return login.isAnonymous()
          ? failed(image.registry() + " wants credentials, and there are none")
          : Future.succeededFuture(login.basic());
    }
    return token(image, challenge, login)
        .map(
            token -> {
              tokens.remove(key);
              tokens.put(key, token);
              if (tokens.size() > MOST_TOKENS) {
                tokens.remove(tokens.keySet().iterator().next());
              }
              return "Bearer " + token.value;
            });
  }

  private Future<Token> token(ImageReference image, Challenge challenge, Login login) {
    String realm = challenge.parameter("realm");
    URI uri;
    try {
      uri = URI.create(realm);
    } catch (IllegalArgumentException e) {
      return failed(image.registry() + " names \"" + realm + "\" for tokens, which is not a URL");
    }
    boolean secure = "https".equalsIgnoreCase(uri.getScheme());
    if (uri.getHost() == null
        || !secure && !("http".equalsIgnoreCase(uri.getScheme()) && isPlain(image.registry()))) {
      return failed(
          image.registry() + " names \"" + realm + "\" for tokens, which must be an https URL");
    }
    String scope = challenge.parameter("scope");
    String query =
        "service="
            + encode(challenge.parameter("service"))
            + "&scope="
            + encode(scope.isEmpty() ? "repository:" + image.repository() + ":pull" : scope);
    String url = realm + (uri.getQuery() == null ? "?" : "&") + query;
    return send(HttpMethod.GET, url, login.isAnonymous() ? "" : login.basic())
        .compose(
            reply ->
                reply.status == OK
                    ? Future.succeededFuture(read(reply.answer.body))
                    : failed("a token for " + image.registry() + ": answers " + reply.status));
  }

  private Token read(Buffer body) {
    try {
      JsonObject json = new JsonObject(body);
      String value = json.getString("token", json.getString("access_token", ""));
      long seconds = json.getLong("expires_in", (long) TOKEN_SECONDS);
      if (value.isEmpty()) {
        throw new RegistryException("the answer to a token request has no token");
      }
      return new Token(
          value,
          clock.instant().plusSeconds(Math.max(0, Math.min(seconds, 86_400) - SLACK_SECONDS)));
    } catch (DecodeException | ClassCastException e) {
      throw new RegistryException("the answer to a question for a token is malformed");
    }
  }

  private Future<Reply> send(HttpMethod method, String url, String authorization) {
    RequestOptions request =
        new RequestOptions()
            .setMethod(method)
            .setAbsoluteURI(url)
            .setTimeout(options.timeout().toMillis())
            .putHeader(HttpHeaders.ACCEPT, Manifest.ACCEPT + ",application/json;q=0.1")
            .putHeader(HttpHeaders.USER_AGENT, "vertlet");
    if (!authorization.isEmpty()) {
      request.putHeader(HttpHeaders.AUTHORIZATION, authorization);
    }
    return client.request(request).compose(this::answer);
  }

  /** Waits for the answer; obtaining the connection has a timeout of its own. */
  private Future<Reply> answer(HttpClientRequest asked) {
    return asked
        .send()
        .compose(response -> body(response).map(body -> reply(response, body)))
        .timeout(options.timeout().toMillis(), MILLISECONDS)
        .onFailure(late -> asked.reset());
  }

  private static Reply reply(HttpClientResponse response, Buffer body) {
    String digest = response.getHeader("Docker-Content-Digest");
    return new Reply(
        response.statusCode(),
        response.getHeader("WWW-Authenticate"),
        new Answer(ImageReference.digestOf(digest == null ? "" : digest).orElse(""), body));
  }

  private static Future<Buffer> body(HttpClientResponse response) {
    Promise<Buffer> whole = Promise.promise();
    Buffer body = Buffer.buffer();
    int limit = response.statusCode() == OK ? Manifest.MAX_BYTES : MAX_TOKEN_BYTES;
    response.exceptionHandler(whole::tryFail);
    response.endHandler(end -> whole.tryComplete(body));
    response.handler(
        chunk -> {
          if (body.length() + chunk.length() > limit) {
            whole.tryFail(new RegistryException("an answer has more than " + limit + " bytes"));
            response.request().reset();
          } else {
            body.appendBuffer(chunk);
          }
        });
    return whole.future();
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static <T> Future<T> failed(String why) {
    return Future.failedFuture(new RegistryException(why));
  }

  Future<Void> close() {
    return client.close();
  }
}
