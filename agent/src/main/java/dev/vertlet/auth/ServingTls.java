package dev.vertlet.auth;

import dev.vertlet.problem.Problems;
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
   * @throws RefusedSettingsException that names keys, values and what is allowed
   */
  public ServingTls {
    tlsCipherSuites = List.copyOf(tlsCipherSuites);
    Problems problems =
        new Problems()
            .that(
                tlsCertFile == null || tlsPrivateKeyFile != null,
                "tlsPrivateKeyFile",
                "",
                "must be given with tlsCertFile")
            .that(
                tlsPrivateKeyFile == null || tlsCertFile != null,
                "tlsCertFile",
                "",
                "must be given with tlsPrivateKeyFile")
            .that(
                tlsCertFile == null || !serverTLSBootstrap,
                "serverTLSBootstrap",
                String.valueOf(serverTLSBootstrap),
                "must be false with tlsCertFile");
    for (int i = 0; i < tlsCipherSuites.size(); i++) {
      problems.that(
          CipherSuites.allowed().contains(tlsCipherSuites.get(i)),
          "tlsCipherSuites/" + i,
          tlsCipherSuites.get(i),
          "must be one of " + String.join(", ", CipherSuites.allowed()));
    }
    problems.done(RefusedSettingsException::new);
  }
}
