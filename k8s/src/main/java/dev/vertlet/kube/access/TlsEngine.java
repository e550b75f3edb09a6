package dev.vertlet.kube.access;

import dev.vertlet.kube.AccessException;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;

/** TLS implementation of connections. */
public enum TlsEngine {
  /** BoringSSL when its native library loads on this machine, else the JDK's. */
  AUTO,
  /** BoringSSL; the agent does not start without it. */
  BORINGSSL,
  JDK;

  /**
   * Returns the engine options of a client or server. The first call loads the library, which takes
   * a while: blocks.
   *
   * @throws AccessException when the configured engine is not available
   */
  public SSLEngineOptions options() {
    boolean available =
        this != JDK && OpenSSLEngineOptions.isAvailable() && OpenSSLEngineOptions.isAlpnAvailable();
    if (this == BORINGSSL && !available) {
      throw new AccessException(
          "tls engine \"boringssl\" is not available on this machine; use \"auto\" or \"jdk\"");
    }
    return available ? new OpenSSLEngineOptions() : new JdkSSLEngineOptions();
  }
}
