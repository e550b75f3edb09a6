package dev.vertlet.auth.tls;

import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.ClientAuthorities;
import dev.vertlet.auth.FileAuthorities;
import java.nio.file.Path;

/** Validates the files that a server needs at start. */
public final class ServerFiles {
  /** Section of the configuration with the certificate files. */
  static final String SECTION = "server.tls.";

  private ServerFiles() {}

  /**
   * Reads the files as the server does. Blocks.
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
