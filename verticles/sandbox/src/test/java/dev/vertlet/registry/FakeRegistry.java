package dev.vertlet.registry;

import static dev.vertlet.testsupport.Waits.get;
import static java.util.Objects.requireNonNull;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** A registry on loopback: manifests by repository and selector, tokens for those it lets in. */
final class FakeRegistry {
  /** Method and path, with the user it was for. */
  final List<String> requests = new CopyOnWriteArrayList<>();

  /** What is admitted and waits for the test to answer it; see {@link #holds}. */
  final BlockingQueue<Runnable> held = new LinkedBlockingQueue<>();

  volatile boolean down;
  volatile boolean silentAboutDigests;

  /** Whether each request waits until the test runs what is held. */
  volatile boolean holds;

  /** Basic, bearer or none. */
  volatile String auth = "none";

  volatile String realm = "";
  private final Map<String, Buffer> manifests = new ConcurrentHashMap<>();
  private final HttpServer server;

  FakeRegistry(Vertx vertx) {
    server = get(vertx.createHttpServer().requestHandler(this::handle).listen(0, "127.0.0.1"));
  }

  String host() {
    return "127.0.0.1:" + server.actualPort();
  }

  /** An image with this configuration; its digest. */
  String push(String repository, String tag, String config) {
    return put(
        repository, tag, new JsonObject().put("config", new JsonObject().put("digest", config)));
  }

  /** An index of images; its digest. */
  String pushIndex(String repository, String tag, List<String> digests) {
    JsonArray children = new JsonArray();
    digests.forEach(d -> children.add(new JsonObject().put("digest", d)));
    return put(repository, tag, new JsonObject().put("manifests", children));
  }

  private String put(String repository, String tag, JsonObject manifest) {
    Buffer body = manifest.toBuffer();
    String digest = Manifest.digest(body);
    manifests.put("/v2/" + repository + "/manifests/" + tag, body);
    manifests.put("/v2/" + repository + "/manifests/" + digest, body);
    return digest;
  }

  private void handle(HttpServerRequest request) {
    String header = String.valueOf(request.getHeader("Authorization"));
    requests.add(request.method() + " " + request.path() + " " + header);
    if (down) {
      request.response().setStatusCode(503).end();
    } else if (request.path().equals("/token")) {
      token(request, header);
    } else if (!admitted(request, header)) {
      request.response().setStatusCode(401).end();
    } else if (holds) {
      Context here = requireNonNull(Vertx.currentContext());
      held.add(() -> here.runOnContext(v -> serve(request)));
    } else {
      serve(request);
    }
  }

  private void token(HttpServerRequest request, String header) {
    if (!header.equals(new Login("me", "secret").basic())) {
      request.response().setStatusCode(401).end();
      return;
    }
    request
        .response()
        .end(new JsonObject().put("token", "t-" + request.getParam("scope")).encode());
  }

  private boolean admitted(HttpServerRequest request, String header) {
    String repository = request.path().replaceFirst("/v2/(.*)/manifests/.*", "$1");
    String scope = "repository:" + repository + ":pull";
    HttpServerResponse response = request.response();
    switch (auth) {
      case "basic" -> {
        response.putHeader("WWW-Authenticate", "Basic realm=\"x\"");
        return header.equals(new Login("me", "secret").basic());
      }
      case "bearer" -> {
        String where = realm.isEmpty() ? "http://" + host() + "/token" : realm;
        response.putHeader(
            "WWW-Authenticate",
            "Bearer realm=\"" + where + "\",service=\"reg\",scope=\"" + scope + "\"");
        return header.equals("Bearer t-" + scope);
      }
      default -> {
        return true;
      }
    }
  }

  private void serve(HttpServerRequest request) {
    Buffer body = manifests.get(request.path());
    HttpServerResponse response = request.response();
    if (body == null) {
      response.setStatusCode(404).end();
      return;
    }
    if (!silentAboutDigests) {
      response.putHeader("Docker-Content-Digest", Manifest.digest(body));
    }
    if (request.method().name().equals("HEAD")) {
      response.putHeader("Content-Length", "" + body.length()).end();
    } else {
      response.end(body);
    }
  }
}
