package dev.vertlet.auth.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.vertlet.certificates.Identity;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The self-signed certificate for listeners without another one. It is stored, so that clients see
 * the same certificate after a restart. The first handshake loads or creates it: creating it at
 * start would cost half a second of a core, and many agents never serve a handshake. Confined to
 * one context except {@link #get}.
 */
final class SelfSigned {
  static final String FILE = "self-signed";

  private static final Logger LOG = LoggerFactory.getLogger(SelfSigned.class);

  private final Vertx vertx;
  private final Pki pki;
  private final ServingNames names;
  private final Clock clock;
  private final RandomGenerator random;
  private final Duration look;
  private @Nullable ServingKeyManager keys;
  private long timer = -1;
  private boolean making;

  /**
   * @param look interval between checks of the clock
   */
  SelfSigned(
      Vertx vertx,
      Pki pki,
      ServingNames names,
      Clock clock,
      RandomGenerator random,
      Duration look) {
    this.vertx = vertx;
    this.pki = pki;
    this.names = names;
    this.clock = clock;
    this.random = random;
    this.look = look;
  }

  /** Returns the stored key pair if it is still usable, else creates one. Blocks; thread-safe. */
  ServingKey get() {
    Optional<ServingKey> kept = pki.load(FILE).filter(this::usable);
    return kept.orElseGet(this::make);
  }

  /** Renews the certificate of these keys in time. */
  void follow(ServingKeyManager shown) {
    keys = shown;
    timer = vertx.setPeriodic(look.toMillis(), id -> look());
  }

  private void look() {
    ServingKeyManager shown = keys;
    if (shown != null && shown.isKnown() && !making && !usable(shown.current())) {
      making = true;
      vertx
          .executeBlocking(this::get, false)
          .onComplete(done -> making = false)
          .onSuccess(shown::replace)
          .onFailure(failure -> LOG.warn("self-signed certificate cannot be renewed", failure));
    }
  }

  /**
   * Returns whether it needs no renewal; the deadline is drawn on each call, as the exact time does
   * not matter.
   */
  private boolean usable(ServingKey key) {
    return Rotation.serves(key.certificate(), names, clock.instant())
        && clock.instant().isBefore(Rotation.deadline(key.certificate(), random));
  }

  private ServingKey make() {
    Identity made =
        CertificateMaker.selfSigned(
            names.node() + "@" + clock.instant().getEpochSecond(), names, clock.instant());
    pki.save(FILE, made.certificatePem(), made.privateKeyPem());
    LOG.info("made a self-signed serving certificate, kept in {}", pki.file(FILE));
    return ServingKey.parse(
        made.certificatePem().getBytes(US_ASCII), made.privateKeyPem().getBytes(US_ASCII));
  }

  void close() {
    vertx.cancelTimer(timer);
  }
}
