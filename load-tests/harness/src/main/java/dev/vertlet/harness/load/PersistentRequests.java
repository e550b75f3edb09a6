package dev.vertlet.harness.load;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Recovery;
import dev.vertlet.kube.Verb;
import dev.vertlet.kube.client.KubeClient;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Sends requests and retries them while the server is overloaded or unreachable, honouring its
 * Retry-After. Confined to the event loop of its client.
 */
public final class PersistentRequests {
  /** Backoff between the tries of a request. */
  private static final Backoff RETRY =
      new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5), 2, 1);

  private enum Wanted {
    ALL,
    NO_CREATES,
    NOTHING
  }

  private final Vertx vertx;
  private final KubeClient client;
  private final RandomGenerator random;
  private final Consumer<String> errors;

  /** Waits before the next try of a request. */
  private final Set<Promise<Void>> pauses = new HashSet<>();

  private Wanted wanted = Wanted.ALL;

  /**
   * @param errors receives the message of each failed try, also of those that are retried
   */
  public PersistentRequests(
      Vertx vertx, KubeClient client, RandomGenerator random, Consumer<String> errors) {
    this.vertx = vertx;
    this.client = client;
    this.random = random;
    this.errors = errors;
  }

  /** Stops retrying failed creates. */
  public void cancelCreates() {
    wanted = Wanted.NO_CREATES;
  }

  /** Stops retrying failed requests and ends all waits before a retry. */
  public void cancel() {
    wanted = Wanted.NOTHING;
    Set.copyOf(pauses).forEach(Promise::tryComplete);
  }

  /**
   * Sends a request.
   *
   * @return the response; null if an earlier try, whose response was lost, had succeeded. Fails
   *     with the {@link KubeException} that no retry can resolve
   */
  public Future<KubeResponse> send(KubeRequest request) {
    return send(request, 1);
  }

  private Future<KubeResponse> send(KubeRequest request, int attempt) {
    return client
        .send(request)
        .recover(
            failure -> {
              KubeException refused = KubeException.from(failure);
              if (doneAlready(request, refused, attempt)) {
                return Future.succeededFuture();
              }
              errors.accept(refused.getMessage());
              if (unwanted(request) || refused.recovery() != Recovery.RETRY) {
                return Future.failedFuture(refused);
              }
              long delay = RETRY.delay(attempt, random, refused).toMillis();
              return pause(delay).compose(v -> again(request, refused, attempt + 1));
            });
  }

  private Future<Void> pause(long millis) {
    Promise<Void> pause = Promise.promise();
    pauses.add(pause);
    long timer = vertx.setTimer(millis, id -> pause.tryComplete());
    return pause
        .future()
        .onComplete(
            over -> {
              pauses.remove(pause);
              vertx.cancelTimer(timer);
            });
  }

  private Future<KubeResponse> again(KubeRequest request, KubeException refused, int attempt) {
    return wanted == Wanted.NOTHING ? Future.failedFuture(refused) : send(request, attempt);
  }

  private boolean unwanted(KubeRequest request) {
    return wanted == Wanted.NOTHING
        || (wanted == Wanted.NO_CREATES && request.verb() == Verb.CREATE);
  }

  /** Whether an earlier try whose response was lost has succeeded. */
  private static boolean doneAlready(KubeRequest request, KubeException refused, int attempt) {
    return switch (refused.kind()) {
      case NOT_FOUND -> request.verb() == Verb.DELETE;
      case ALREADY_EXISTS -> request.verb() == Verb.CREATE && attempt > 1;
      default -> false;
    };
  }
}
