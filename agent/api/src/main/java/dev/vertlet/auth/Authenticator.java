package dev.vertlet.auth;

import static io.vertx.core.http.HttpHeaders.AUTHORIZATION;
import static io.vertx.core.http.HttpHeaders.CONNECTION;
import static io.vertx.core.http.HttpHeaders.UPGRADE;

import dev.vertlet.http.ClientShare;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.core.http.HttpServerRequest;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates the sender of a request by client certificate, else by bearer token, else by a
 * WebSocket subprotocol's token. An invalid certificate does not matter beside a valid token, but
 * its sender is never anonymous. An invalid token ends the search, as a request has only one. The
 * user headers of API server proxies are ignored. Confined to one context.
 */
final class Authenticator {
  private static final String PROTOCOLS = "Sec-WebSocket-Protocol";

  private final boolean anonymous;
  private final ClientAuthorities authorities;
  private final @Nullable TokenReviews tokens;
  private final Clock clock;

  /**
   * @param tokens null when tokens are not accepted
   */
  Authenticator(
      boolean anonymous,
      ClientAuthorities authorities,
      @Nullable TokenReviews tokens,
      Clock clock) {
    this.anonymous = anonymous;
    this.authorities = authorities;
    this.tokens = tokens;
    this.clock = clock;
  }

  /**
   * Authenticates the sender.
   *
   * @return empty for a request without credentials; fails when the credentials are invalid or
   *     could not be checked
   */
  Future<Optional<User>> authenticate(HttpServerRequest request) {
    Throwable bad = null;
    try {
      Optional<User> user = certificateUser(request);
      if (user.isPresent()) {
        return Future.succeededFuture(user.map(User::authenticated));
      }
    } catch (GeneralSecurityException e) {
      bad = e;
    }
    Throwable certificate = bad;
    return byTokens(request)
        .map(user -> user.map(User::authenticated))
        .compose(
            user ->
                user.isPresent() || certificate == null
                    ? Future.succeededFuture(user)
                    : Future.failedFuture(certificate))
        .map(user -> user.isEmpty() && anonymous ? Optional.of(User.anonymous()) : user);
  }

  private Optional<User> certificateUser(HttpServerRequest request)
      throws GeneralSecurityException {
    List<X509Certificate> chain = chain(request.sslSession());
    CaBundle bundle = authorities.current();
    if (chain.isEmpty() || bundle.isEmpty()) {
      return Optional.empty();
    }
    bundle.verify(chain, clock.instant());
    return CertificateUser.of(chain.get(0));
  }

  private static List<X509Certificate> chain(@Nullable SSLSession session) {
    List<X509Certificate> chain = new ArrayList<>();
    if (session == null) {
      return chain;
    }
    try {
      for (Certificate each : session.getPeerCertificates()) {
        chain.add((X509Certificate) each);
      }
    } catch (SSLPeerUnverifiedException e) {
      return List.of(); // the client sent no certificate
    }
    return chain;
  }

  private Future<Optional<User>> byTokens(HttpServerRequest request) {
    TokenReviews reviews = tokens;
    if (reviews == null) {
      return Future.succeededFuture(Optional.empty());
    }
    return byHeader(reviews, request)
        .compose(
            user ->
                user.isPresent() ? Future.succeededFuture(user) : byWebSocket(reviews, request));
  }

  private static Future<Optional<User>> byHeader(TokenReviews reviews, HttpServerRequest request) {
    Optional<String> token = RequestToken.bearer(request.getHeader(AUTHORIZATION));
    if (token.isEmpty()) {
      return Future.succeededFuture(Optional.empty());
    }
    return known(reviews, token.get(), request)
        .onSuccess(user -> request.headers().remove(AUTHORIZATION))
        .map(Optional::of);
  }

  private static Future<Optional<User>> byWebSocket(
      TokenReviews reviews, HttpServerRequest request) {
    if (!isWebSocket(request)) {
      return Future.succeededFuture(Optional.empty());
    }
    RequestToken.OfWebSocket found;
    try {
      found = RequestToken.webSocket(request.headers().getAll(PROTOCOLS));
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    String token = found.token();
    if (token == null) {
      return Future.succeededFuture(Optional.empty());
    }
    return known(reviews, token, request)
        .onSuccess(
            // the token is not a subprotocol to negotiate
            user -> request.headers().set(PROTOCOLS, String.join(",", found.others())))
        .map(Optional::of);
  }

  private static Future<User> known(TokenReviews reviews, String token, HttpServerRequest request) {
    return reviews
        .user(token, ClientShare.of(request.remoteAddress()))
        .compose(
            user ->
                user.map(Future::succeededFuture)
                    .orElseGet(
                        () ->
                            Future.failedFuture(
                                VertxException.noStackTrace("the token is invalid"))));
  }

  private static boolean isWebSocket(HttpServerRequest request) {
    return names(request.getHeader(UPGRADE), "websocket")
        && names(request.getHeader(CONNECTION), "upgrade");
  }

  private static boolean names(@Nullable String header, String word) {
    return header != null && header.toLowerCase(Locale.ROOT).contains(word);
  }
}
