package dev.vertlet.auth;

import dev.vertlet.kube.KubePath;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/** Creates reviews in the API server: TokenReviews and SubjectAccessReviews. */
interface Reviewer {
  /**
   * Creates one review.
   *
   * @return {@code status} of the review, empty when there is none
   */
  Future<JsonObject> ask(KubePath path, JsonObject review);
}
