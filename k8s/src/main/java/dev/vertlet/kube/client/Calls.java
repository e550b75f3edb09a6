package dev.vertlet.kube.client;

import dev.vertlet.kube.AccessException;
import dev.vertlet.kube.Failures;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Recovery;
import dev.vertlet.kube.Verb;
import dev.vertlet.kube.access.AccessSnapshot;
import dev.vertlet.kube.access.Credentials;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.RequestOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests and turns each answer into one outcome; tracks whether the server answers, accepts
 * our credentials and permits our requests. Confined to the client's context.
 */
final class Calls {
  private static final String IMPERSONATE_USER = "Impersonate-User";

  private static final Logger LOG = LoggerFactory.getLogger(KubeClient.class);

  /** Used when a 429 has no Retry-After. */
  private static final Duration DEFAULT_PAUSE = Duration.ofSeconds(1);

  /** The API server itself asks for 1 s; a longer pause is an error of an intermediary. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** HTTP/2 RESET code CANCEL: the client no longer needs the answer. */
  static final long CANCEL = 0x8;

  private final Vertx vertx;
  private final KubeClientOptions options;
  private final AccessSnapshot access;
  private final Links links;
  private final Credentials credentials;
  private final KubeMetrics metrics;
  private final ServerHealth health;
  private final Permissions permissions;

  Calls(
      Vertx vertx,
      KubeClientOptions options,
      AccessSnapshot access,
      Links links,
      Credentials credentials,
      KubeMetrics metrics,
      Clock steady) {
    this.vertx = vertx;
    this.options = options;
    this.access = access;
    this.links = links;
    this.credentials = credentials;
    this.metrics = metrics;
    this.health =
        new ServerHealth(
            access.server().toString(),
            steady,
            (delay, task) -> vertx.setTimer(Math.max(1, delay.toMillis()), id -> task.run()));
    this.permissions = new Permissions(steady);
  }

  /** Result of an exchange; exactly one of the two is null. */
  record Outcome(@Nullable KubeResponse response, @Nullable KubeException failure) {}

  static Duration pauseOf(KubeException throttled) {
    Duration asked = throttled.retryAfter().orElse(DEFAULT_PAUSE);
    return asked.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : asked;
  }

  /** Sends the exchange; {@code settled} is called exactly once. */
  void start(Exchange exchange, Link link, Consumer<Outcome> settled) {
    KubeRequest request = exchange.request;
    exchange.settled = settled;
    exchange.startedNanos = System.nanoTime();
    metrics.waited(request.lane(), exchange.startedNanos - exchange.submittedNanos);
    Duration limit = limit(request);
    exchange.timer =
        vertx.setTimer(
            Math.max(1, limit.toMillis()),
            id -> {
              KubeException late = Failures.timeout(request.verb(), request.path(), limit);
              health.silent(late, exchange.startedNanos);
              answered(exchange, 0, new Outcome(null, late));
            });
    String authorization = credentials.authorization();
    exchange.sentWith = credentials.edition();
    RequestOptions options = options(request.verb(), request.path(), request.query());
    headers(options, request.accept(), authorization);
    if (request.contentType() != null) {
      options.putHeader(HttpHeaders.CONTENT_TYPE, request.contentType());
    }
    if (request.user() != null) {
      options.putHeader(IMPERSONATE_USER, request.user());
    }
    link.open(options)
        .onFailure(e -> unreachable(Failures.transport(request.verb(), request.path(), e)))
        .compose(http -> send(exchange, http))
        .compose(response -> response.body().map(body -> outcome(request, response, body)))
        .onSuccess(outcome -> answered(exchange, statusOf(outcome), outcome))
        .onFailure(
            e ->
                answered(
                    exchange,
                    0,
                    new Outcome(null, Failures.transport(request.verb(), request.path(), e))));
  }

  /** Ends an exchange whose answer is no longer needed; no effect when it is not in flight. */
  void giveUp(Exchange exchange, KubeException why) {
    answered(exchange, 0, new Outcome(null, why));
  }

  RequestOptions options(Verb verb, KubePath path, String query) {
    String uri = access.basePath() + path.path();
    return links
        .target()
        .setMethod(verb.method())
        .setURI(query.isEmpty() ? uri : uri + "?" + query);
  }

  void headers(RequestOptions request, String accept, String authorization) {
    request.putHeader(HttpHeaders.ACCEPT, accept);
    request.putHeader(HttpHeaders.USER_AGENT, options.userAgent());
    if (!authorization.isEmpty()) {
      request.putHeader(HttpHeaders.AUTHORIZATION, authorization);
    }
  }

  Vertx vertx() {
    return vertx;
  }

  KubeClientOptions clientOptions() {
    return options;
  }

  KubeMetrics metrics() {
    return metrics;
  }

  ServerHealth health() {
    return health;
  }

  String authorization() {
    return credentials.authorization();
  }

  int edition() {
    return credentials.edition();
  }

  /** No connection could be opened. */
  void unreachable(KubeException failure) {
    health.unreachable(failure);
    if (Failures.isUntrusted(failure)) {
      credentials.untrusted();
    }
  }

  /**
   * Refreshes credentials as {@link Credentials#refresh} does, within the exchange's remaining
   * time.
   */
  Future<Boolean> refresh(Exchange exchange) {
    Duration spent = Duration.ofNanos(System.nanoTime() - exchange.startedNanos);
    return refresh(exchange.sentWith, limit(exchange.request).minus(spent));
  }

  /**
   * Refreshes credentials as {@link Credentials#refresh} does, within {@code limit}: files and
   * plugins may hang.
   */
  Future<Boolean> refresh(int rejected, Duration limit) {
    long millis = Math.max(1, limit.toMillis());
    return credentials
        .refresh(rejected)
        .timeout(millis, TimeUnit.MILLISECONDS)
        .recover(e -> Future.failedFuture(e instanceof TimeoutException ? tooSlow(e) : e));
  }

  private static AccessException tooSlow(Throwable timeout) {
    return new AccessException("reading them takes longer than the request has time", timeout);
  }

  /**
   * Returns the failure of a request for which fresh credentials did not help or could not be read.
   */
  KubeException stillUnauthorized(KubeException failure, @Nullable Throwable refresh) {
    KubeException outcome =
        refresh == null
            ? failure
            : new KubeException(
                failure.kind(),
                failure.status(),
                failure.getMessage() + "; no fresh credentials: " + Failures.describe(refresh),
                null,
                refresh);
    health.refused(outcome);
    return outcome;
  }

  private Duration limit(KubeRequest request) {
    return request.timeout() == null ? options.timeouts().request() : request.timeout();
  }

  private Future<HttpClientResponse> send(Exchange exchange, HttpClientRequest http) {
    exchange.http = http;
    http.exceptionHandler(e -> LOG.trace("{}", e.toString())); // the Future below fails as well
    if (exchange.answered) { // timed out while connecting
      return abandon(http);
    }
    links.addressed(http);
    Buffer body = exchange.request.body();
    if (body == null) {
      return http.send();
    }
    metrics.of(exchange.request.verb(), exchange.request.path().resource()).sent(body.length());
    return http.send(body);
  }

  private static Future<HttpClientResponse> abandon(HttpClientRequest http) {
    return http.reset(CANCEL)
        .transform(done -> Future.failedFuture("the request was given up before it was sent"));
  }

  private static Outcome outcome(KubeRequest request, HttpClientResponse response, Buffer body) {
    int status = response.statusCode();
    if (status >= 200 && status < 300) {
      String type = response.getHeader(HttpHeaders.CONTENT_TYPE);
      return new Outcome(new KubeResponse(status, type == null ? "" : type, body), null);
    }
    return new Outcome(
        null,
        Failures.answer(
            request.verb(),
            request.path(),
            status,
            response.getHeader(HttpHeaders.RETRY_AFTER),
            body));
  }

  /** HTTP status, 0 without an answer. */
  private static int statusOf(Outcome outcome) {
    KubeResponse response = outcome.response();
    KubeException failure = outcome.failure();
    return response != null ? response.status() : failure != null ? failure.status() : 0;
  }

  /** Whether the server works: it does if it could look the object up or compare its version. */
  private static boolean isWell(@Nullable KubeException failure) {
    return failure == null || failure.recovery() == Recovery.REREAD;
  }

  private void answered(Exchange exchange, int status, Outcome outcome) {
    Consumer<Outcome> settled = exchange.settled;
    if (settled == null) {
      return;
    }
    exchange.answered = true;
    exchange.settled = null;
    vertx.cancelTimer(exchange.timer);
    HttpClientRequest http = exchange.http;
    if (status == 0 && http != null) {
      http.reset(CANCEL).onFailure(e -> LOG.trace("Nothing left to reset: {}", e.toString()));
    }
    KubeRequest request = exchange.request;
    KubeMetrics.OfRequest meters = metrics.of(request.verb(), request.path().resource());
    meters.answered(status, System.nanoTime() - exchange.startedNanos);
    KubeResponse response = outcome.response();
    if (response != null) {
      meters.received(response.body().length());
    }
    KubeException failure = outcome.failure();
    if (status != 0) {
      health.answered(status, isWell(failure));
      permissions.answered(request.verb(), request.path(), failure);
    } else if (failure != null && failure.kind() == KubeException.Kind.TRANSPORT) {
      health.unanswered();
    }
    settled.accept(outcome);
  }
}
