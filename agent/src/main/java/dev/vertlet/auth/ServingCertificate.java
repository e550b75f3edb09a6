package dev.vertlet.auth;

import io.vertx.core.net.KeyCertOptions;
import java.security.cert.X509Certificate;

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

  /** What the next handshake shows. Callable from any thread; may block as a first handshake. */
  public X509Certificate current() {
    return keys.current().certificate();
  }
}
