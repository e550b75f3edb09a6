package dev.vertlet.auth;

import dev.vertlet.auth.AuthMeters.Attempt;
import dev.vertlet.auth.file.FileWatch;
import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates by client certificate or token review and authorizes by SubjectAccessReview, as a
 * kubelet does. Nodes with equal settings share one object. Confined to the event loop that opened
 * it, which must be the loop of the servers that use it.
 */
public final class KubeletAccess implements AccessControl {
  private static final Logger LOG = LoggerFactory.getLogger(KubeletAccess.class);

  private final ClientAuthorities authorities;
  private final Authenticator authenticator;
  private final @Nullable AccessReviews reviews;
  private final Supplier<Future<Void>> source;
  private final AuthMeters meters;

  private KubeletAccess(
      ClientAuthorities authorities,
      Authenticator authenticator,
      @Nullable AccessReviews reviews,
      Supplier<Future<Void>> source,
      AuthMeters meters) {
    this.authorities = authorities;
    this.authenticator = authenticator;
    this.reviews = reviews;
    this.source = source;
    this.meters = meters;
  }

  record Pace(Backoff webhook, Duration fileLook, PublishedAuthorities.Pace published) {
    static final Pace DEFAULT =
        new Pace(Webhook.DEFAULT_BACKOFF, FileWatch.INTERVAL, PublishedAuthorities.Pace.DEFAULT);
  }

  /**
   * Loads the client certificate authorities. They come from their file, or from the cluster's
   * ConfigMap; for the latter it waits up to 5 s for the first answer, so that early clients with a
   * certificate are not refused.
   *
   * @return completes on the current context; fails with a line that names key and file when {@code
   *     server.authentication.clientCAFile} is invalid
   */
  public static Future<KubeletAccess> open(
      Vertx vertx,
      KubeClient kube,
      Authentication authentication,
      Authorization authorization,
      Env env) {
    return open(vertx, kube, authentication, authorization, env, Pace.DEFAULT);
  }

  /**
   * Creates access control for a server without TLS: only tokens authenticate, and no request is
   * anonymous. Create and use it on one event loop.
   */
  public static AccessControl ofTokens(Vertx vertx, KubeClient kube, Env env) {
    return made(
        vertx,
        kube,
        Authentication.DEFAULTS,
        Authorization.DEFAULTS,
        new ClientAuthorities(),
        Future::succeededFuture,
        env,
        Pace.DEFAULT);
  }

  static Future<KubeletAccess> open(
      Vertx vertx,
      KubeClient kube,
      Authentication authentication,
      Authorization authorization,
      Env env,
      Pace pace) {
    ClientAuthorities authorities = new ClientAuthorities();
    return source(vertx, kube, authentication.clientCAFile(), authorities, env.random(), pace)
        .map(
            source ->
                made(vertx, kube, authentication, authorization, authorities, source, env, pace));
  }

  private static KubeletAccess made(
      Vertx vertx,
      KubeClient kube,
      Authentication authentication,
      Authorization authorization,
      ClientAuthorities authorities,
      Supplier<Future<Void>> source,
      Env env,
      Pace pace) {
    AuthMeters meters = new AuthMeters(env.meters());
    Webhook webhook = new Webhook(vertx, kube, pace.webhook, env.random(), meters);
    TokenReviews tokens =
        authentication.webhook()
            ? new TokenReviews(webhook, authentication.webhookCacheTTL(), env.clock(), meters)
            : null;
    Authenticator authenticator =
        new Authenticator(authentication.anonymous(), authorities, tokens, env.clock());
    AccessReviews reviews =
        authorization.mode() == Authorization.Mode.WEBHOOK
            ? new AccessReviews(webhook, authorization, env.clock())
            : null;
    return new KubeletAccess(authorities, authenticator, reviews, source, meters);
  }

  /** Starts following the authorities; the result stops it. */
  private static Future<Supplier<Future<Void>>> source(
      Vertx vertx,
      KubeClient kube,
      @Nullable Path file,
      ClientAuthorities authorities,
      RandomGenerator random,
      Pace pace) {
    if (file != null) {
      return FileAuthorities.follow(vertx, file, pace.fileLook, authorities)
          .map(watch -> watch::close);
    }
    PublishedAuthorities published =
        new PublishedAuthorities(vertx, kube, authorities, pace.published, random);
    return published.start().map(answered -> published::close);
  }

  @Override
  public Future<User> admit(HttpServerRequest request, String node, List<String> subresources) {
    return authenticator
        .authenticate(request)
        .transform(
            done -> {
              if (done.failed()) {
                LOG.debug("request not authenticated: {}", done.cause().getMessage());
              }
              Optional<User> user = done.succeeded() ? done.result() : Optional.empty();
              meters.attempt(
                  done.failed()
                      ? Attempt.ERROR
                      : user.isPresent() ? Attempt.SUCCESS : Attempt.FAILURE);
              return user.isPresent()
                  ? authorize(
                      user.get(), NodeAccess.verb(request.method().name()), node, subresources)
                  : Future.failedFuture(
                      AccessDeniedException.unchecked(done.cause())
                          .orElseGet(() -> new AccessDeniedException(401, "Unauthorized")));
            });
  }

  private Future<User> authorize(User user, String verb, String node, List<String> subresources) {
    AccessReviews asked = reviews;
    return asked == null
        ? Future.succeededFuture(user)
        : authorize(asked, user, verb, node, subresources, 0);
  }

  private static Future<User> authorize(
      AccessReviews reviews,
      User user,
      String verb,
      String node,
      List<String> subresources,
      int next) {
    if (next == subresources.size()) {
      return Future.failedFuture(
          new AccessDeniedException(403, NodeAccess.forbidden(user, verb, subresources)));
    }
    NodeAccess access = new NodeAccess(user, verb, node, subresources.get(next));
    return reviews
        .allowed(access)
        .transform(
            done -> {
              if (done.failed()) {
                LOG.debug("{}: {}", access.undecided(), done.cause().getMessage());
                return Future.failedFuture(
                    AccessDeniedException.busy(done.cause())
                        .orElseGet(() -> new AccessDeniedException(500, access.undecided())));
              }
              return done.result()
                  ? Future.succeededFuture(user)
                  : authorize(reviews, user, verb, node, subresources, next + 1);
            });
  }

  /** Stops following the authorities. */
  public Future<Void> close() {
    return source.get();
  }
}
