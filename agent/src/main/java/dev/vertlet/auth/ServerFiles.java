package dev.vertlet.auth;

import java.nio.file.Path;

/** What a server reads of files before it can begin. */
public final class ServerFiles {
  /** Where the configuration names the files of its certificate. */
  static final String SECTION = "server.tls.";

  private ServerFiles() {}

  /**
   * Reads them as the server would. Blocks.
   *
   * @throws io.vertx.core.VertxException with a line that names keys and files when one cannot be
   *     used
   */
  public static void check(ServingTls tls, Authentication authentication) {
    Path certificate = tls.tlsCertFile();
    Path key = tls.tlsPrivateKeyFile();
    if (certificate != null && key != null) {
      CertificateFiles.check(SECTION, certificate, key);
    }
    Path authorities = authentication.clientCAFile();
    if (authorities != null) {
      var unused = FileAuthorities.read(authorities, new ClientAuthorities());
    }
  }
}
