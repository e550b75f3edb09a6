package dev.vertlet.auth.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.vertlet.auth.tls.SigningRequest.State;
import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests a listener's certificate from the cluster and renews it in time. The old certificate
 * stays in use meanwhile. Confined to one context; keys are created on workers.
 */
public final class RequestedCertificate {
  /**
   * Intervals of polls and retries.
   *
   * @param look interval between checks of the clock
   * @param poll between reads of a pending request
   * @param again after a request could not be created
   * @param refused after a request was denied
   */
  public record Pace(Duration look, Backoff poll, Backoff again, Backoff refused) {
    static final Pace DEFAULT =
        new Pace(
            Duration.ofMinutes(1),
            // approval takes a program about a second and a person much longer
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30), 1.5, 0.2),
            new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(5), 2, 0.5),
            new Backoff(Duration.ofMinutes(15), Duration.ofHours(4), 2, 0.2));
  }

  /** Time after which the cluster removes undecided requests. */
  private static final Duration PENDING_LIMIT = Duration.ofHours(24);

  private static final Logger LOG = LoggerFactory.getLogger(RequestedCertificate.class);

  private final Vertx vertx;
  private final KubeClient kube;
  private final Pki pki;
  private final ServingNames names;
  private final ServingKeyManager keys;
  private final Env env;
  private final Pace pace;
  private @Nullable Instant deadline;
  private Runnable cancelWait = () -> {};
  private int failures;
  private int refusals;
  private boolean closed;

  /**
   * @param keys holder of the listener's certificate; replaced on issuance
   */
  RequestedCertificate(
      Vertx vertx,
      KubeClient kube,
      Pki pki,
      ServingNames names,
      ServingKeyManager keys,
      Env env,
      Pace pace) {
    this.vertx = vertx;
    this.kube = kube;
    this.pki = pki;
    this.names = names;
    this.keys = keys;
    this.env = env;
    this.pace = pace;
  }

  /** Returns the name of the stored file. */
  static String file(String node) {
    return "kubelet-server-" + node;
  }

  /**
   * Loads the stored certificate, else requests one.
   *
   * @return completes when the stored certificate is in use; it does not wait for issuance
   */
  Future<Void> start() {
    return vertx
        .executeBlocking(() -> pki.load(file(names.node())), false)
        .map(
            kept -> {
              if (kept.isPresent()
                  && Rotation.serves(kept.get().certificate(), names, env.clock().instant())) {
                show(kept.get());
              } else {
                request();
              }
              return null;
            });
  }

  private void show(ServingKey issued) {
    keys.replace(issued);
    failures = 0;
    refusals = 0;
    deadline = Rotation.deadline(issued.certificate(), env.random());
    look();
  }

  /** Checks the clock often: timers count the process's time, certificates count wall time. */
  private void look() {
    Instant due = deadline;
    if (due != null && !env.clock().instant().isBefore(due)) {
      request();
    } else {
      later(pace.look, this::look);
    }
  }

  private void later(Duration delay, Runnable then) {
    if (!closed) {
      long timer = vertx.setTimer(Math.max(1, delay.toMillis()), id -> then.run());
      cancelWait = () -> vertx.cancelTimer(timer);
    }
  }

  private void request() {
    vertx
        .executeBlocking(() -> CertificateMaker.request(names), false)
        .compose(
            made ->
                unlessClosed()
                    .compose(
                        open ->
                            kube.send(
                                KubeRequest.create(
                                    Lane.REST,
                                    SigningRequest.ALL,
                                    SigningRequest.of(made.certificatePem()).toBuffer())))
                    .map(answer -> new JsonObject(answer.body()))
                    .map(object -> object.getJsonObject("metadata").getString("name"))
                    .onSuccess(name -> new Waiting(name, made.privateKeyPem()).begin()))
        .onFailure(this::notRequested);
  }

  /** Discards the key when the agent stopped while it was created. */
  private Future<Void> unlessClosed() {
    return closed
        ? Future.failedFuture(VertxException.noStackTrace("no certificate is needed any more"))
        : Future.succeededFuture();
  }

  private void notRequested(Throwable failure) {
    if (closed) {
      return;
    }
    failures++;
    if (failures == 1) {
      LOG.atWarn()
          .addKeyValue("node", names.node())
          .addKeyValue("error", failure.getMessage())
          .log("a serving certificate cannot be requested; trying again");
    }
    KubeException why = KubeException.from(failure);
    Duration delay = pace.again.delay(failures, env.random(), why);
    cancelWait = kube.retryLater(delay, why, this::request)::cancel;
  }

  private void refused(String request, String reason) {
    if (closed) {
      return;
    }
    refusals++;
    Duration delay = pace.refused.delay(refusals, env.random());
    LOG.atWarn()
        .addKeyValue("node", names.node())
        .addKeyValue("error", reason)
        .addKeyValue("delayMs", delay.toMillis())
        .log("no serving certificate for {}; requesting again later", request);
    later(delay, this::request);
  }

  private void issued(String request, String certificates, String key) {
    if (closed) {
      return; // the next start requests a new one
    }
    vertx
        .executeBlocking(
            () -> {
              ServingKey parsed =
                  ServingKey.parse(certificates.getBytes(US_ASCII), key.getBytes(US_ASCII));
              pki.save(file(names.node()), certificates, key);
              return parsed;
            },
            false)
        .onSuccess(
            parsed -> {
              LOG.atInfo()
                  .addKeyValue("node", names.node())
                  .log(
                      "serving certificate issued by {}, valid until {}",
                      request,
                      parsed.certificate().getNotAfter().toInstant());
              show(parsed);
            })
        .onFailure(failure -> refused(request, "the certificate " + failure.getMessage()));
  }

  void close() {
    closed = true;
    cancelWait.run();
  }

  /** One pending request. Only this object holds its key until the certificate is issued. */
  private final class Waiting {
    private final String name;
    private final String key;
    private final Instant since = env.clock().instant();
    private int looks;

    Waiting(String name, String key) {
      this.name = name;
      this.key = key;
    }

    void begin() {
      if (closed) {
        return;
      }
      LOG.atInfo()
          .addKeyValue("node", names.node())
          .log("CertificateSigningRequest {} waits for approval", name);
      again();
    }

    private void again() {
      looks++;
      later(pace.poll.delay(looks, env.random()), this::poll);
    }

    private void poll() {
      kube.send(KubeRequest.get(Lane.REST, SigningRequest.path(name)))
          .map(answer -> SigningRequest.state(new JsonObject(answer.body())))
          .onSuccess(this::judge)
          .onFailure(
              failure -> {
                if (KubeException.is(failure, KubeException.Kind.NOT_FOUND)) {
                  refused(name, "it was deleted");
                } else {
                  again();
                }
              });
    }

    private void judge(State state) {
      if (state instanceof State.Issued issued) {
        issued(name, issued.certificates(), key);
      } else if (state instanceof State.Refused refused) {
        refused(name, refused.reason());
      } else if (env.clock().instant().isAfter(since.plus(PENDING_LIMIT))) {
        refused(name, "not approved within " + PENDING_LIMIT.toHours() + " h");
      } else {
        again();
      }
    }
  }
}
