package dev.vertlet.auth.tls;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Cipher suites that the server offers, by IANA name: those with forward secrecy that a kubelet,
 * too, considers secure.
 */
public final class CipherSuites {
  /** Suites of TLS 1.3; as on a kubelet they are not configurable. */
  private static final List<String> TLS_1_3 =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  /** Suites of TLS 1.2, best first. */
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

  /** Returns every valid value of {@code tlsCipherSuites}. */
  public static List<String> allowed() {
    return Stream.concat(TLS_1_3.stream(), TLS_1_2.stream()).toList();
  }

  /** Returns the suites that a server offers; all when none are configured. */
  static List<String> enabled(List<String> configured) {
    List<String> enabled = new ArrayList<>(TLS_1_3);
    (configured.isEmpty() ? TLS_1_2 : configured)
        .stream().filter(suite -> !enabled.contains(suite)).forEach(enabled::add);
    return enabled;
  }
}
