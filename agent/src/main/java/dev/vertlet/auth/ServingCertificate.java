package dev.vertlet.auth;

import io.vertx.core.net.KeyCertOptions;
import java.security.cert.X509Certificate;
import java.util.Optional;

/** What one listener shows its clients. It follows its source: nobody has to update a server. */
public final class ServingCertificate {
  private final ServingKeyManager keys;

  ServingCertificate(ServingKeyManager keys) {
    this.keys = keys;
  }

  /** For the options of a server; each handshake takes what counts at its time. */
  public KeyCertOptions keyCertOptions() {
    return KeyCertOptions.wrap(keys);
  }

  /**
   * What the next handshake shows; empty while there was none and nothing is ready for it. Callable
   * from any thread.
   */
  public Optional<X509Certificate> known() {
    return keys.isKnown() ? Optional.of(current()) : Optional.empty();
  }

  /** What the next handshake shows; blocks as long as that would. */
  X509Certificate current() {
    return keys.current().certificate();
  }
}
