package dev.vertlet.auth;

import dev.vertlet.kube.TlsEngine;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.net.TrustOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Options of Vert.x for an HTTPS server that is a kubelet's. */
public final class ServerTls {
  /** As Go's servers for the header of a first request: who connects has something to say. */
  private static final long HANDSHAKE_SECONDS = 10;

  private ServerTls() {}

  /**
   * HTTP/2 and HTTP/1.1 by ALPN. Takes any certificate of a client, and none: which of them count
   * is decided for each request. Own certificates that change count from the next handshake on:
   * nothing needs to be updated.
   *
   * @param engine of {@link TlsEngine#options()}
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
