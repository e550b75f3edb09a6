package dev.vertlet.auth;

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
 * The certificate that serves when there is no better one. It is kept, so that a restart shows the
 * same one to those who remember it. The first handshake reads it or has it made: that takes a JVM
 * that just started half a second of a core, and many an agent is never asked. Confined to one
 * context, but for {@link #get}.
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
   * @param look between looks at the clock
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

  /** What was kept if it can be used on, else a new one. Blocks; on any thread. */
  ServingKey get() {
    Optional<ServingKey> kept = pki.load(FILE).filter(this::usable);
    return kept.orElseGet(this::make);
  }

  /** Replaces it in time in what is shown. */
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
          .onFailure(failure -> LOG.warn("no new self-signed certificate", failure));
    }
  }

  /** A renewal that comes a little early or late harms nobody here. */
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
