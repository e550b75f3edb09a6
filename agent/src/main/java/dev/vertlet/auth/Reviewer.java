package dev.vertlet.auth;

import dev.vertlet.kube.KubePath;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/** Answers reviews: questions that are created and never stored. */
interface Reviewer {
  /**
   * Asks.
   *
   * @return {@code status} of the review, empty when there is none
   */
  Future<JsonObject> ask(KubePath path, JsonObject review);
}
