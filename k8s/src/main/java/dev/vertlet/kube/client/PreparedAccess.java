package dev.vertlet.kube.client;

import dev.vertlet.kube.AccessException;
import dev.vertlet.kube.Failures;
import dev.vertlet.kube.access.AccessSnapshot;
import io.vertx.core.Vertx;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a client has read and loaded off the event loop before its first connection. */
record PreparedAccess(AccessSnapshot access, SSLEngineOptions engine) {
  private static final Logger LOG = LoggerFactory.getLogger(KubeClient.class);

  /**
   * Loads the TLS engine. Rejects certificates that do not parse here, with a description, instead
   * of at the first handshake. Blocks.
   */
  static PreparedAccess of(Vertx vertx, KubeClientOptions options, AccessSnapshot snapshot) {
    ClientSSLOptions ssl = snapshot.ssl();
    KeyCertOptions key = ssl == null ? null : ssl.getKeyCertOptions();
    if (key != null) {
      try {
        var unused = key.getKeyManagerFactory(vertx);
      } catch (Exception e) {
        throw new AccessException(
            snapshot.description() + ": client-key is not usable: " + Failures.describe(e), e);
      }
    }
    SSLEngineOptions engine = options.tls().options();
    if (snapshot.isTls()) {
      boolean boring = engine instanceof OpenSSLEngineOptions;
      LOG.info("TLS to the API server by {}", boring ? "BoringSSL" : "the JDK");
    }
    return new PreparedAccess(snapshot, engine);
  }
}
