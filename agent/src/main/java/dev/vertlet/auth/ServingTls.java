package dev.vertlet.auth;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the kubelet's HTTPS server encrypts. The keys are those of a kubelet's configuration.
 *
 * @param tlsCertFile the serving certificate and its intermediates in PEM, with {@code
 *     tlsPrivateKeyFile}; null to have one issued or made
 * @param serverTLSBootstrap asks the cluster for serving certificates; false: self-signed without
 *     files
 * @param tlsMinVersion oldest version that is spoken
 * @param tlsCipherSuites of TLS 1.2, some of {@link CipherSuites#allowed()}; empty for all of them
 */
public record ServingTls(
    @Nullable Path tlsCertFile,
    @Nullable Path tlsPrivateKeyFile,
    boolean serverTLSBootstrap,
    TlsVersion tlsMinVersion,
    List<String> tlsCipherSuites) {
  /** Self-signed, TLS 1.2 and newer. */
  public static final ServingTls DEFAULTS =
      new ServingTls(null, null, false, TlsVersion.TLS_1_2, List.of());

  /**
   * @throws IllegalArgumentException that names key, value and what is allowed
   */
  public ServingTls {
    tlsCipherSuites = List.copyOf(tlsCipherSuites);
    if (tlsCertFile != null && tlsPrivateKeyFile == null) {
      throw new IllegalArgumentException(
          "tlsPrivateKeyFile must be given with tlsCertFile \"" + tlsCertFile + "\"");
    }
    if (tlsCertFile == null && tlsPrivateKeyFile != null) {
      throw new IllegalArgumentException(
          "tlsCertFile must be given with tlsPrivateKeyFile \"" + tlsPrivateKeyFile + "\"");
    }
    if (tlsCertFile != null && serverTLSBootstrap) {
      throw new IllegalArgumentException(
          "serverTLSBootstrap must be false with tlsCertFile \"" + tlsCertFile + "\", got true");
    }
    for (String suite : tlsCipherSuites) {
      if (!CipherSuites.allowed().contains(suite)) {
        throw new IllegalArgumentException(
            "tlsCipherSuites must be some of %s, got \"%s\""
                .formatted(String.join(", ", CipherSuites.allowed()), suite));
      }
    }
  }
}
