package dev.vertlet.harness.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A registry on loopback, where runtimes pull without TLS. It has manifests and configurations;
 * layers are those of images that the runtime has.
 */
final class FaultyRegistry implements AutoCloseable {
  /**
   * @param type its media type
   */
  private record Blob(String type, byte[] bytes) {}

  /** By path below {@code /v2/}. */
  private final Map<String, Blob> blobs = new ConcurrentHashMap<>();

  /** Values of {@code Authorization} that requests had. */
  private final Set<String> credentials = ConcurrentHashMap.newKeySet();

  private final HttpServer server;
  private volatile @Nullable String required;
  private volatile boolean available = true;

  private FaultyRegistry(HttpServer server) {
    this.server = server;
  }

  static FaultyRegistry start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    FaultyRegistry registry = new FaultyRegistry(server);
    server.createContext("/v2/", registry::answer);
    server.start();
    return registry;
  }

  /** Name of the registry in names of images. */
  String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /**
   * Adds an image.
   *
   * @return its name for pods
   */
  String add(String name, OciImage image) {
    putManifest(name, "1", image);
    putManifest(name, image.digest(), image);
    put(blob(name, image), new Blob("application/octet-stream", OciImage.bytes(image.config())));
    return host() + "/" + name + ":1";
  }

  private static String blob(String name, OciImage image) {
    return name + "/blobs/" + OciImage.digest(OciImage.bytes(image.config()));
  }

  /** Answers a tag or a digest with the manifest of an image, be it the right one or not. */
  void putManifest(String name, String reference, OciImage image) {
    put(
        name + "/manifests/" + reference,
        new Blob(image.mediaType(), OciImage.bytes(image.manifest())));
  }

  /** Answers the digest of an image's configuration with as many other bytes. */
  void spoilConfig(String name, OciImage image) {
    put(
        blob(name, image),
        new Blob(
            "application/octet-stream",
            " ".repeat(OciImage.bytes(image.config()).length).getBytes(StandardCharsets.UTF_8)));
  }

  private void put(String path, Blob blob) {
    blobs.put(path, blob);
  }

  /** Refuses requests without this user and password. */
  void require(String user, String password) {
    required = basic(user, password);
  }

  private static String basic(String user, String password) {
    byte[] plain = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(plain);
  }

  /** Whether a request had this user and password. */
  boolean wasAskedBy(String user, String password) {
    return credentials.contains(basic(user, password));
  }

  /** Whether requests are answered; otherwise each fails with 503. */
  void available(boolean available) {
    this.available = available;
  }

  private void answer(HttpExchange request) throws IOException {
    try (request) {
      String credential = request.getRequestHeaders().getFirst("Authorization");
      if (credential != null) {
        credentials.add(credential);
      }
      String expected = required;
      Blob blob = blobs.get(request.getRequestURI().getPath().substring("/v2/".length()));
      if (!available) {
        request.sendResponseHeaders(503, -1);
      } else if (expected != null && !expected.equals(credential)) {
        request.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"images\"");
        request.sendResponseHeaders(401, -1);
      } else if (blob == null) {
        request.sendResponseHeaders(404, -1);
      } else {
        send(request, blob);
      }
    }
  }

  private static void send(HttpExchange request, Blob blob) throws IOException {
    request.getResponseHeaders().set("Content-Type", blob.type());
    if (request.getRequestMethod().equals("HEAD")) {
      request.getResponseHeaders().set("Content-Length", String.valueOf(blob.bytes().length));
      request.sendResponseHeaders(200, -1);
    } else {
      request.sendResponseHeaders(200, blob.bytes().length);
      request.getResponseBody().write(blob.bytes());
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
