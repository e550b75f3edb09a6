package dev.vertlet.host.probe;

import dev.vertlet.model.container.HandlerView;
import dev.vertlet.provider.probe.ProbeResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import java.net.URI;

/** Sends the GET requests of probes and hooks; certificates are not checked, as by a kubelet. */
final class HttpProbes {
  private static final int MOST_REDIRECTS = 10;

  private final HttpClient client;

  HttpProbes(Vertx vertx) {
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions().setKeepAlive(false).setTrustAll(true).setVerifyHost(false));
  }

  Future<ProbeResult> get(HandlerView.HttpGet get, String podIP, int seconds) {
    String scheme = get.scheme().equalsIgnoreCase("HTTPS") ? "https" : "http";
    String host = get.host().isEmpty() ? podIP : get.host();
    String path = get.path().startsWith("/") ? get.path() : "/" + get.path();
    String authority = (host.contains(":") ? "[" + host + "]" : host) + ":" + get.port();
    URI uri;
    try {
      uri = URI.create(scheme + "://" + authority + path);
    } catch (IllegalArgumentException e) {
      return Future.succeededFuture(ProbeResult.failure(String.valueOf(e.getMessage())));
    }
    return send(uri, get, host, seconds, 0)
        .otherwise(
            failure -> ProbeResult.failure("Get \"" + uri + "\": " + dial(authority, failure)));
  }

  private static String dial(String authority, Throwable failure) {
    return failure instanceof java.net.ConnectException
        ? "dial tcp " + authority + ": " + ConnectionFailures.reason(failure)
        : ConnectionFailures.reason(failure);
  }

  private Future<ProbeResult> send(
      URI uri, HandlerView.HttpGet get, String host, int seconds, int redirects) {
    RequestOptions options =
        new RequestOptions()
            .setHost(uri.getHost())
            .setPort(uri.getPort())
            .setSsl(uri.getScheme().equals("https"))
            .setURI(uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery()))
            .setConnectTimeout(seconds * 1000L)
            .setIdleTimeout(seconds * 1000L)
            .putHeader("User-Agent", "kube-probe")
            .putHeader("Accept", "*/*");
    for (String header : get.headers()) {
      int end = header.indexOf(": ");
      if (end > 0) {
        options.putHeader(header.substring(0, end), header.substring(end + 2));
      }
    }
    return client
        .request(options)
        .compose(request -> request.send())
        .compose(response -> judge(response, uri, get, host, seconds, redirects));
  }

  private Future<ProbeResult> judge(
      HttpClientResponse response,
      URI uri,
      HandlerView.HttpGet get,
      String host,
      int seconds,
      int redirects) {
    int code = response.statusCode();
    String location = response.getHeader("Location");
    boolean redirect = code >= 300 && code < 400 && location != null;
    if (redirect) {
      URI next = uri.resolve(location);
      if (!host.equals(next.getHost()) || redirects == MOST_REDIRECTS) {
        return Future.succeededFuture(ProbeResult.warning("Probe terminated redirects"));
      }
      URI complete = next.getPort() < 0 ? withPort(next) : next;
      return response.end().compose(ended -> send(complete, get, host, seconds, redirects + 1));
    }
    boolean ok = code >= 200 && code < 400;
    return Future.succeededFuture(
        ok
            ? ProbeResult.SUCCESS
            : ProbeResult.failure("HTTP probe failed with statuscode: " + code));
  }

  private static URI withPort(URI uri) {
    int port = uri.getScheme().equals("https") ? 443 : 80;
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return URI.create(
        uri.getScheme() + "://" + uri.getHost() + ":" + port + uri.getRawPath() + query);
  }
}
