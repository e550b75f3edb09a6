package dev.vertlet.harness.it;

import dev.vertlet.apiserver.contract.AnyClient;
import dev.vertlet.testsupport.Waits;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** Requests that go straight to the server of a node's kubelet. */
final class KubeletRequests {
  /** For {@code kubectl get node -o}: where it listens, without a slash at the end. */
  static final String URL =
      "jsonpath=https://{.status.addresses[?(@.type==\"InternalIP\")].address}:{.status.daemonEndpoints.kubeletEndpoint.Port}";

  private KubeletRequests() {}

  /** Where it listens, without a slash at the end. */
  static String url(KubectlRuns kubectl, String node) throws Exception {
    return kubectl.output("get", "node", node, "-o", URL);
  }

  /**
   * A GET without a look at the certificate, which is the agent's own.
   *
   * @param token who asks; empty: nobody
   */
  static HttpResponse<String> get(URI url, String token) throws Exception {
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, new TrustManager[] {new AnyClient()}, null);
    HttpRequest.Builder request = HttpRequest.newBuilder(url).timeout(Waits.LONG);
    if (!token.isEmpty()) {
      request.header("authorization", "Bearer " + token);
    }
    return HttpClient.newBuilder()
        .sslContext(tls)
        .build()
        .send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
