package dev.vertlet.auth;

import dev.vertlet.kube.KubePath;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.core.json.JsonObject;
import java.time.Clock;

/** Authorizes users with SubjectAccessReviews. Confined to one context. */
final class AccessReviews {
  private static final KubePath PATH =
      new KubePath(
          "/apis/authorization.k8s.io/v1/subjectaccessreviews",
          "subjectaccessreviews",
          "authorization.k8s.io");

  private final Reviewer reviewer;
  private final Answers<NodeAccess, Boolean> answers;

  AccessReviews(Reviewer reviewer, Authorization config, Clock clock) {
    this.reviewer = reviewer;
    this.answers =
        new Answers<>(
            clock, yes -> yes, config.cacheAuthorizedTTL(), config.cacheUnauthorizedTTL());
  }

  /**
   * Returns whether the access is allowed.
   *
   * @return fails when the server does not answer or contradicts itself
   */
  Future<Boolean> allowed(NodeAccess access) {
    return answers.get(
        access,
        access.user().name(),
        () -> reviewer.ask(PATH, access.review()).map(AccessReviews::decision));
  }

  private static boolean decision(JsonObject status) {
    boolean allowed = status.getBoolean("allowed", false);
    if (allowed && status.getBoolean("denied", false)) {
      throw VertxException.noStackTrace("the API server both allows and denies", null);
    }
    return allowed;
  }
}
