package dev.vertlet.server;

import dev.vertlet.auth.AccessDeniedException;
import dev.vertlet.auth.TokenFileVerticle;
import dev.vertlet.http.HttpServers;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Admits readers of metrics and page: clients on a loopback address, clients with the token of a
 * file, and users whom the API server authenticates and authorizes. Cross-site browser requests are
 * always rejected. Confined to one context.
 */
public final class ReaderAccess implements ReadPolicy {
  private final @Nullable TokenFileVerticle file;
  private final ReadPolicy reviews;

  /**
   * @param file null for none
   * @param reviews access control for other tokens
   */
  public ReaderAccess(@Nullable TokenFileVerticle file, ReadPolicy reviews) {
    this.file = file;
    this.reviews = reviews;
  }

  @Override
  public Future<Void> admit(HttpServerRequest request) {
    Optional<String> foreign = BrowserCheck.problem(request);
    if (foreign.isPresent()) {
      return Future.failedFuture(AccessDeniedException.forbidden(foreign.get()));
    }
    if (Loopback.isCaller(request)) {
      HttpServers.admitted(request);
      return Future.succeededFuture();
    }
    if (!request.headers().contains(HttpHeaders.AUTHORIZATION)) {
      return Future.failedFuture(
          AccessDeniedException.unauthenticated(
              "a bearer token is needed, or a connection to a loopback address"));
    }
    TokenFileVerticle known = file;
    Future<Void> admitted =
        known != null && known.admits(request) ? Future.succeededFuture() : reviews.admit(request);
    return admitted.onSuccess(v -> HttpServers.admitted(request));
  }
}
