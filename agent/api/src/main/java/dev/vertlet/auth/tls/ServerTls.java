package dev.vertlet.auth.tls;

import dev.vertlet.kube.access.TlsEngine;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.net.TrustOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Creates Vert.x options for a kubelet's HTTPS server. */
public final class ServerTls {
  /** Limit of the TLS handshake, the same as of Go's servers for the first request's header. */
  private static final long HANDSHAKE_SECONDS = 10;

  private ServerTls() {}

  /**
   * Offers HTTP/2 and HTTP/1.1 by ALPN. Client certificates are optional and unchecked; each
   * request decides whether the certificate counts. A replaced serving certificate applies from the
   * next handshake on, without an update of the server.
   *
   * @param engine options from {@link TlsEngine#options()}
   */
  public static HttpServerOptions options(
      ServingTls config, ServingCertificate certificate, SSLEngineOptions engine) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setSsl(true)
            .setSslEngineOptions(engine)
            .setUseAlpn(true)
            .setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1))
            .setKeyCertOptions(certificate.keyCertOptions())
            .setTrustOptions(TrustOptions.wrap(new AnyClient()))
            .setClientAuth(ClientAuth.REQUEST)
            .setEnabledSecureTransportProtocols(config.tlsMinVersion().protocols())
            .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
            .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS);
    CipherSuites.enabled(config.tlsCipherSuites()).forEach(options::addEnabledCipherSuite);
    return options;
  }
}
