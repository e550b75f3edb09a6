package dev.vertlet.kube;

/** Which TLS implementation encrypts the connections to the API server. */
public enum TlsEngine {
  /** BoringSSL when its native library loads on this machine, else the JDK's. */
  AUTO,
  /** BoringSSL; the client does not start without it. */
  BORINGSSL,
  JDK
}
