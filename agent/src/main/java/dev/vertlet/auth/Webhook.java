package dev.vertlet.auth;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Has the API server answer reviews, patiently. */
final class Webhook implements Reviewer {
  /** As a kubelet: 500 ms, growing by half each time, up to a fifth of it on top by chance. */
  static final Backoff DEFAULT_BACKOFF =
      new Backoff(Duration.ofMillis(500), Duration.ofSeconds(2), 1.5, 0.2);

  /** As a kubelet: the first one and four more. */
  private static final int TRIES = 5;

  /** A try that hangs must leave time for another one within {@link #PATIENCE_SECONDS}. */
  private static final Duration TRY_TIMEOUT = Duration.ofSeconds(10);

  /** Who waits for the answer of a kubelet does not wait longer. */
  private static final long PATIENCE_SECONDS = 30;

  private final Vertx vertx;
  private final KubeClient kube;
  private final Backoff backoff;
  private final RandomGenerator random;
  private final AuthMeters meters;

  Webhook(
      Vertx vertx, KubeClient kube, Backoff backoff, RandomGenerator random, AuthMeters meters) {
    this.vertx = vertx;
    this.kube = kube;
    this.backoff = backoff;
    this.random = random;
    this.meters = meters;
  }

  /**
   * Asks, again after what may pass: no answer, 429 and 5xx.
   *
   * @return {@code status} of the review, empty when there is none; fails with a KubeException, or
   *     a TimeoutException after 30 s
   */
  @Override
  public Future<JsonObject> ask(KubePath path, JsonObject review) {
    KubeRequest request =
        KubeRequest.create(Lane.REST, path, review.toBuffer()).withTimeout(TRY_TIMEOUT);
    return attempt(request, 1).timeout(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private Future<JsonObject> attempt(KubeRequest request, int attempt) {
    return kube.send(request)
        .onComplete(done -> meters.asked(request.path(), done.cause()))
        .map(answer -> status(answer.body().toString()))
        .recover(
            failure ->
                attempt < TRIES && passes(failure)
                    ? later(request, attempt, (KubeException) failure)
                    : Future.failedFuture(failure));
  }

  private Future<JsonObject> later(KubeRequest request, int attempt, KubeException failure) {
    Duration delay = backoff.delay(attempt, random, failure);
    return vertx
        .timer(Math.max(1, delay.toMillis()), TimeUnit.MILLISECONDS)
        .compose(v -> attempt(request, attempt + 1));
  }

  private static boolean passes(Throwable failure) {
    return failure instanceof KubeException e
        && switch (e.kind()) {
          case THROTTLED, SERVER_ERROR, TRANSPORT, TIMEOUT -> true;
          default -> false;
        };
  }

  private static JsonObject status(String body) {
    try {
      return new JsonObject(body).getJsonObject("status", new JsonObject());
    } catch (DecodeException | ClassCastException e) {
      throw new KubeException(
          KubeException.Kind.DECODE, 0, "the answer to a review is no review", null, null);
    }
  }
}
