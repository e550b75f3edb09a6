package dev.vertlet.auth;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.client.KubeClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Creates reviews in the API server and retries transient failures. */
final class Webhook implements Reviewer {
  /** Backoff of a kubelet: 500 ms, growing by half each time, with up to a fifth of jitter. */
  static final Backoff DEFAULT_BACKOFF =
      new Backoff(Duration.ofMillis(500), Duration.ofSeconds(2), 1.5, 0.2);

  /** Tries of a kubelet: the first one and four more. */
  private static final int TRIES = 5;

  /** Limit of one try, which leaves time for another one within {@link #PATIENCE_SECONDS}. */
  private static final Duration TRY_TIMEOUT = Duration.ofSeconds(10);

  /** Limit of all tries: clients of a kubelet do not wait longer. */
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
   * Creates a review; retries after no answer, 429 and 5xx.
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
