package dev.vertlet.auth;

import dev.vertlet.http.ClientShare;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Authenticates requests to vertlet's own APIs by bearer token and authorizes them with
 * SubjectAccessReviews. The reviewed resource need not exist in the API server. Confined to the
 * event loop that created it.
 */
public final class ServiceAccess {
  private static final KubePath REVIEWS =
      new KubePath(
          "/apis/authorization.k8s.io/v1/subjectaccessreviews",
          "subjectaccessreviews",
          "authorization.k8s.io");

  private final TokenReviews tokens;
  private final Webhook webhook;
  private final Answers<Question, Boolean> answers;

  /** Action to authorize. */
  public record Action(String verb, String group, String resource, String namespace, String name) {}

  private record Question(User user, Action action) {}

  public ServiceAccess(Vertx vertx, KubeClient kube, Env env) {
    AuthMeters meters = new AuthMeters(env.meters());
    this.webhook = new Webhook(vertx, kube, Webhook.DEFAULT_BACKOFF, env.random(), meters);
    Duration ttl = Authentication.DEFAULTS.webhookCacheTTL();
    this.tokens = new TokenReviews(webhook, ttl, env.clock(), meters);
    Authorization times = Authorization.DEFAULTS;
    this.answers =
        new Answers<>(
            env.clock(), yes -> yes, times.cacheAuthorizedTTL(), times.cacheUnauthorizedTTL());
  }

  /**
   * Authenticates the sender and authorizes the action.
   *
   * @return fails only with {@link AccessDeniedException}
   */
  public Future<User> admit(HttpServerRequest request, Action action) {
    Optional<String> token = RequestToken.bearer(request.getHeader(HttpHeaders.AUTHORIZATION));
    if (token.isEmpty()) {
      return denied(401, "a bearer token is needed");
    }
    return tokens
        .user(token.get(), ClientShare.of(request.remoteAddress()))
        .transform(
            done -> {
              Optional<User> user = done.succeeded() ? done.result() : Optional.empty();
              return user.isPresent()
                  ? authorize(user.get().authenticated(), action)
                  : Future.failedFuture(
                      AccessDeniedException.unchecked(done.cause())
                          .orElseGet(
                              () ->
                                  new AccessDeniedException(
                                      401, "the token is invalid, or could not be checked")));
            });
  }

  private Future<User> authorize(User user, Action action) {
    return answers
        .get(
            new Question(user, action),
            user.name(),
            () ->
                webhook
                    .ask(REVIEWS, review(user, action))
                    .map(status -> status.getBoolean("allowed", false)))
        .transform(
            done -> {
              if (done.failed()) {
                return Future.failedFuture(
                    AccessDeniedException.busy(done.cause())
                        .orElseGet(
                            () ->
                                new AccessDeniedException(
                                    500,
                                    "it could not be checked what " + user.name() + " may do")));
              }
              return done.result()
                  ? Future.succeededFuture(user)
                  : denied(
                      403,
                      "%s may not %s %s.%s \"%s\" in namespace \"%s\""
                          .formatted(
                              user.name(),
                              action.verb,
                              action.resource,
                              action.group,
                              action.name,
                              action.namespace));
            });
  }

  private static JsonObject review(User user, Action action) {
    JsonObject spec =
        new JsonObject()
            .put(
                "resourceAttributes",
                new JsonObject()
                    .put("verb", action.verb)
                    .put("group", action.group)
                    .put("resource", action.resource)
                    .put("namespace", action.namespace)
                    .put("name", action.name))
            .put("user", user.name())
            .put("uid", user.uid())
            .put("groups", new JsonArray(user.groups()));
    JsonObject extra = new JsonObject();
    user.extra().forEach((key, values) -> extra.put(key, new JsonArray(values)));
    return new JsonObject()
        .put("apiVersion", "authorization.k8s.io/v1")
        .put("kind", "SubjectAccessReview")
        .put("spec", spec.put("extra", extra));
  }

  private static <T> Future<T> denied(int status, String text) {
    return Future.failedFuture(new AccessDeniedException(status, text));
  }
}
