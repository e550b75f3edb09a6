package dev.vertlet.auth.tls;

import io.vertx.core.net.KeyCertOptions;
import java.security.cert.X509Certificate;
import java.util.Optional;

/** Serving certificate of one listener. It follows its source without an update of the server. */
public final class ServingCertificate {
  private final ServingKeyManager keys;

  public ServingCertificate(ServingKeyManager keys) {
    this.keys = keys;
  }

  /** Returns the key options of a server; each handshake uses the current certificate. */
  public KeyCertOptions keyCertOptions() {
    return KeyCertOptions.wrap(keys);
  }

  /**
   * Returns the certificate of the next handshake; empty before the first handshake created one.
   * Thread-safe.
   */
  public Optional<X509Certificate> known() {
    return keys.isKnown() ? Optional.of(current()) : Optional.empty();
  }

  /** Returns the certificate of the next handshake; blocks while it is created. */
  X509Certificate current() {
    return keys.current().certificate();
  }
}
