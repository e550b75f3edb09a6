package dev.vertlet.kube.access;

import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches the credentials in use. Confined to the client's context; they are re-read on a worker,
 * one read at a time however many requests need it.
 */
public final class Credentials {
  private static final Logger LOG = LoggerFactory.getLogger(Credentials.class);

  /**
   * client-go re-reads token files every minute; projected tokens are rotated at 80 % of 1 h.
   * Credentials with an expiry are kept until then.
   */
  private static final Duration REREAD = Duration.ofMinutes(1);

  /** An expiring credential is re-read this long before its expiry, and as often. */
  private static final Duration MARGIN = Duration.ofSeconds(30);

  /** A storm of 401s reads files, or runs a plugin, at most this often. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Supplier<Future<AccessSnapshot>> load;
  private final boolean fixed;
  private final Clock clock;
  private final Counter reads;
  private final Consumer<AccessSnapshot> changed;
  private AccessSnapshot current;
  private int edition;
  private Instant readAt;
  private @Nullable Future<Boolean> reading;

  /**
   * Creates a cache with the first credentials.
   *
   * @param load reads the credentials again; called on the client's context, where the Future
   *     completes
   * @param fixed true for credentials that are never read again
   * @param changed called on the client's context when the certificates have changed
   */
  public Credentials(
      Supplier<Future<AccessSnapshot>> load,
      boolean fixed,
      AccessSnapshot first,
      Clock clock,
      Counter reads,
      Consumer<AccessSnapshot> changed) {
    this.load = load;
    this.fixed = fixed;
    this.current = first;
    this.clock = clock;
    this.reads = reads;
    this.changed = changed;
    this.readAt = clock.instant();
  }

  /**
   * Value of the Authorization header, empty for none. When the credentials are due, a background
   * read begins; this request still uses the known ones.
   */
  public String authorization() {
    if (isDue(clock.instant())) {
      readBehind();
    }
    return current.authorization();
  }

  /**
   * The server's certificate is signed by an unknown authority: the CA file may contain that
   * authority by now.
   */
  public void untrusted() {
    if (current.rotating() && !isFresh(clock.instant(), PAUSE)) {
      readBehind();
    }
  }

  private void readBehind() {
    if (reading == null) {
      read().onFailure(e -> LOG.warn("Credentials were not renewed: {}", e.getMessage()));
    }
  }

  /**
   * Number of the credentials that {@link #authorization} returned last; increases when the header
   * or the certificates change.
   */
  public int edition() {
    return edition;
  }

  /**
   * Reads the credentials again after a 401.
   *
   * @param rejected the {@link #edition} the request was sent with
   * @return true if the credentials now differ from the rejected ones; fails with {@link
   *     dev.vertlet.kube.AccessException} when they could not be read
   */
  public Future<Boolean> refresh(int rejected) {
    if (edition != rejected) {
      return Future.succeededFuture(true);
    }
    Future<Boolean> running = reading;
    if (running != null) {
      return running;
    }
    if (fixed || isFresh(clock.instant(), PAUSE)) {
      return Future.succeededFuture(false);
    }
    return read();
  }

  private boolean isDue(Instant now) {
    Instant expires = current.expires();
    boolean due = expires == null ? !isFresh(now, REREAD) : now.isAfter(expires.minus(MARGIN));
    return current.rotating() && due && !isFresh(now, MARGIN);
  }

  /** False if the clock was set back since the read: the age is then unknown. */
  private boolean isFresh(Instant now, Duration age) {
    return !now.isBefore(readAt) && !now.isAfter(readAt.plus(age));
  }

  private Future<Boolean> read() {
    readAt = clock.instant();
    reads.increment();
    Future<Boolean> result = load.get().map(this::take);
    reading = result;
    // registered last: if a quick worker has finished already, this runs immediately
    return result.onComplete(done -> reading = null);
  }

  private boolean take(AccessSnapshot next) {
    AccessSnapshot previous = current;
    current = next;
    boolean otherCertificates =
        next.ssl() != null && previous.ssl() != null && !next.ssl().equals(previous.ssl());
    if (otherCertificates) {
      changed.accept(next);
    }
    boolean other = otherCertificates || !next.authorization().equals(previous.authorization());
    edition += other ? 1 : 0;
    return other;
  }
}
