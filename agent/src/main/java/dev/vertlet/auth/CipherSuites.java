package dev.vertlet.auth;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Cipher suites that are offered, by their IANA names: those with forward secrecy that a kubelet
 * counts as secure, too.
 */
public final class CipherSuites {
  /** Of TLS 1.3; as with a kubelet they cannot be chosen. */
  private static final List<String> TLS_1_3 =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  /** Of TLS 1.2, best first. */
  private static final List<String> TLS_1_2 =
      List.of(
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
          "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
          "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
          "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA");

  private CipherSuites() {}

  /** All that {@code tlsCipherSuites} may name. */
  public static List<String> allowed() {
    return Stream.concat(TLS_1_3.stream(), TLS_1_2.stream()).toList();
  }

  /** What a server offers that was told these; all when it was told none. */
  static List<String> enabled(List<String> configured) {
    List<String> enabled = new ArrayList<>(TLS_1_3);
    (configured.isEmpty() ? TLS_1_2 : configured)
        .stream().filter(suite -> !enabled.contains(suite)).forEach(enabled::add);
    return enabled;
  }
}
