package dev.vertlet.kube;

import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;

/** Which TLS implementation encrypts connections. */
public enum TlsEngine {
  /** BoringSSL when its native library loads on this machine, else the JDK's. */
  AUTO,
  /** BoringSSL; nothing starts without it. */
  BORINGSSL,
  JDK;

  /**
   * For the options of a client or server. Loads the library when nobody has done so before, which
   * takes a while: blocks.
   *
   * @throws AccessException when the engine that is wanted is not there
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
