package dev.vertlet.harness.load;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Recovery;
import dev.vertlet.kube.Verb;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Sends requests again and again while a server is too busy for them, or not there, and as late as
 * it asks for. Confined to the event loop of its client.
 */
public final class PersistentRequests {
  /** For requests that a server was too busy for. */
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

  /** Tries that wait for their time. */
  private final Set<Promise<Void>> pauses = new HashSet<>();

  private Wanted wanted = Wanted.ALL;

  /**
   * @param errors told each request that failed, also of those that are sent again
   */
  public PersistentRequests(
      Vertx vertx, KubeClient client, RandomGenerator random, Consumer<String> errors) {
    this.vertx = vertx;
    this.client = client;
    this.random = random;
    this.errors = errors;
  }

  /** From now on no create is sent again that has failed. */
  public void cancelCreates() {
    wanted = Wanted.NO_CREATES;
  }

  /** From now on nothing is sent again that has failed, and nothing waits for its next try. */
  public void cancel() {
    wanted = Wanted.NOTHING;
    Set.copyOf(pauses).forEach(Promise::tryComplete);
  }

  /**
   * Sends a request.
   *
   * @return the answer; null where a try whose answer was lost had done what this one was to do.
   *     Fails with the {@link KubeException} that no further try would mend
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

  /** A try whose answer was lost may have done it. */
  private static boolean doneAlready(KubeRequest request, KubeException refused, int attempt) {
    return switch (refused.kind()) {
      case NOT_FOUND -> request.verb() == Verb.DELETE;
      case ALREADY_EXISTS -> request.verb() == Verb.CREATE && attempt > 1;
      default -> false;
    };
  }
}
