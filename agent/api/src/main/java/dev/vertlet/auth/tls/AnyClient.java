package dev.vertlet.auth.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts every client that holds its certificate's private key. As on a kubelet, each request
 * decides whether the certificate counts: a client with an untrusted certificate may still present
 * a token. The server sends no list of accepted authorities: BoringSSL would send the list of the
 * first handshake for ever, and clients of authorities added later would send no certificate.
 */
final class AnyClient extends X509ExtendedTrustManager {
  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) {}

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw neverAClient();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw neverAClient();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw neverAClient();
  }

  private static CertificateException neverAClient() {
    return new CertificateException("this trusts clients, and no server");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
