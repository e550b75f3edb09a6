package dev.vertlet.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.PendingRetry;
import dev.vertlet.kube.watch.Reflector;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.model.reference.DataView;
import dev.vertlet.model.reference.ReferredDecoders;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.reference.ReferredView;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the client certificate authorities that a cluster publishes for extension API servers:
 * {@code client-ca-file} of the ConfigMap {@code extension-apiserver-authentication}. It first
 * reads the ConfigMap once and then watches it. While access is forbidden it retries rarely, as
 * most clusters grant it at once or never. Confined to one context.
 */
final class PublishedAuthorities implements ReflectorListener<ReferredView> {
  static final String NAMESPACE = "kube-system";
  static final String NAME = "extension-apiserver-authentication";
  static final String KEY = "client-ca-file";

  /** Backoffs after an unreachable server and after a refusal. */
  record Pace(Backoff away, Backoff refused) {
    static final Pace DEFAULT =
        new Pace(
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30), 2, 0.5),
            // RBAC changes are made by people
            new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(10), 2, 0.5));
  }

  private static final Logger LOG = LoggerFactory.getLogger(PublishedAuthorities.class);

  /** Waiting limit of the start, as the API server may be unreachable. */
  private static final long FIRST_ANSWER_MILLIS = 5_000;

  private static final KubePath PATH =
      new KubePath(KubePath.configMaps(NAMESPACE).path() + "/" + NAME, "configmaps", "");

  private final Vertx vertx;
  private final KubeClient kube;
  private final ClientAuthorities authorities;
  private final Pace pace;
  private final RandomGenerator random;
  private final Reflector<ReferredView> reflector;
  private final Promise<Void> answered = Promise.promise();
  private @Nullable PendingRetry retry;
  private int failures;
  private @Nullable String logged;
  private boolean watching;
  private boolean closed;

  PublishedAuthorities(
      Vertx vertx,
      KubeClient kube,
      ClientAuthorities authorities,
      Pace pace,
      RandomGenerator random) {
    this.vertx = vertx;
    this.kube = kube;
    this.authorities = authorities;
    this.pace = pace;
    this.random = random;
    ListWatch<ReferredView> what =
        ListWatch.of(
                "the authorities of client certificates",
                KubePath.configMaps(NAMESPACE),
                ReferredDecoders.of(ReferredKind.CONFIG_MAP))
            .withFieldSelector("metadata.name=" + NAME);
    this.reflector = new Reflector<>(kube, what, this, Reflector.DEFAULT_BACKOFF, random);
  }

  /**
   * Starts. Until the first answer, tokens are accepted and certificates are not.
   *
   * @return completes after the first answer, even a refusal, or after 5 s; never fails
   */
  Future<Void> start() {
    long late = vertx.setTimer(FIRST_ANSWER_MILLIS, id -> answered.tryComplete());
    ask();
    return answered.future().onComplete(done -> vertx.cancelTimer(late));
  }

  private void ask() {
    kube.send(KubeRequest.get(Lane.REST, PATH))
        .onSuccess(found -> watch())
        .onFailure(failure -> failed(KubeException.from(failure)));
  }

  private void failed(KubeException failure) {
    if (failure.kind() == KubeException.Kind.NOT_FOUND) {
      tell("there is no ConfigMap " + NAMESPACE + "/" + NAME);
      watch();
      answered.tryComplete();
      return;
    }
    answered.tryComplete();
    failures++;
    boolean refused = failure.kind() == KubeException.Kind.FORBIDDEN;
    if (refused) {
      tell(failure.getMessage());
    }
    if (!closed) {
      Duration delay =
          refused
              ? pace.refused.delay(failures, random)
              : pace.away.delay(failures, random, failure);
      retry = kube.retryLater(delay, failure, this::ask);
    }
  }

  private void watch() {
    if (!watching && !closed) {
      watching = true;
      reflector
          .start()
          .onFailure(
              stopped ->
                  LOG.debug("authorities of client certificates cannot be watched", stopped));
    }
  }

  /** Logs each reason once. */
  private void tell(String reason) {
    if (!reason.equals(logged)) {
      logged = reason;
      LOG.atInfo()
          .addKeyValue("error", reason)
          .log(
              authorities.current().isEmpty()
                  ? "client certificates do not count for now"
                  : "the authorities of client certificates stay as they were");
    }
  }

  @Override
  public void upserted(ReferredView object) {
    read(object);
    answered.tryComplete();
  }

  private void read(ReferredView object) {
    String pem = object instanceof DataView map ? map.data().getOrDefault(KEY, "") : "";
    if (pem.isEmpty()) {
      tell("the ConfigMap " + NAMESPACE + "/" + NAME + " has no " + KEY);
      return;
    }
    try {
      authorities.replace(CaBundle.parse(pem.getBytes(UTF_8)));
      logged = null;
      LOG.atInfo()
          .addKeyValue("authorities", authorities.current().certificates().size())
          .log("authorities of client certificates read from the cluster");
    } catch (IllegalArgumentException e) {
      tell(KEY + " of the ConfigMap " + NAMESPACE + "/" + NAME + " " + e.getMessage());
    }
  }

  /** Keeps the authorities after a deletion, as an API server does. */
  @Override
  public void deleted(Tombstone object) {}

  @Override
  public void synced() {
    answered.tryComplete();
  }

  Future<Void> close() {
    closed = true;
    if (retry != null) {
      retry.cancel();
    }
    return reflector.stop();
  }
}
