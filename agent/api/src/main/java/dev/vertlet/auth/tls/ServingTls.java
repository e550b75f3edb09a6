package dev.vertlet.auth.tls;

import dev.vertlet.problem.Problems;
import dev.vertlet.problem.RefusedSettingsException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * TLS settings of the kubelet's HTTPS server, with the keys of a kubelet's configuration.
 *
 * @param tlsCertFile serving certificate and intermediates in PEM, with {@code tlsPrivateKeyFile};
 *     null for an issued or self-signed one
 * @param serverTLSBootstrap whether the cluster issues the serving certificates; otherwise, without
 *     files, they are self-signed
 * @param tlsMinVersion minimum TLS version
 * @param tlsCipherSuites suites of TLS 1.2, some of {@link CipherSuites#allowed()}; empty for all
 *     of them
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
   * @throws RefusedSettingsException with keys, values and what is allowed
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
