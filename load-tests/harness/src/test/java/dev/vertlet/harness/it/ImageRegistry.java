package dev.vertlet.harness.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Waits;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;

/**
 * A real registry of a test's own, over plain HTTP: its configuration and images are in one folder.
 * Not thread-safe.
 */
final class ImageRegistry implements AutoCloseable {
  static final String PROGRAM = "docker-registry";
  static final String USER = "me";
  static final String PASSWORD = "secret";

  private static final String IMAGE = "application/vnd.docker.distribution.manifest.v2+json";
  private static final String INDEX = "application/vnd.docker.distribution.manifest.list.v2+json";
  private static final String CONFIG = "application/vnd.docker.container.image.v1+json";
  private static final Pattern LISTENS = Pattern.compile("listening on 127\\.0\\.0\\.1:([0-9]+)");

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path folder;
  private final boolean closed;
  private Process process;
  private int port;

  private ImageRegistry(Path folder, boolean closed) throws IOException {
    this.folder = folder;
    this.closed = closed;
    this.process = begin();
  }

  /** Lets everybody in. */
  static ImageRegistry open(Path folder) throws IOException {
    return new ImageRegistry(Files.createDirectory(folder.resolve("open")), false);
  }

  /** Lets {@link #USER} in and nobody else. */
  static ImageRegistry closed(Path folder) throws IOException {
    return new ImageRegistry(Files.createDirectory(folder.resolve("closed")), true);
  }

  private Process begin() throws IOException {
    Path users = folder.resolve("users");
    byte[] salt = "sixteen of bytes".getBytes(UTF_8);
    String hash = OpenBSDBCrypt.generate("2y", PASSWORD.toCharArray(), salt, 4);
    Files.writeString(users, USER + ":" + hash + "\n");
    JsonObject config =
        new JsonObject(
            """
            {"version": "0.1", "storage": {"filesystem": {"rootdirectory": "%s"}},
             "http": {"addr": "127.0.0.1:%d", "secret": "of many"}}
            """
                .formatted(folder.resolve("images"), port));
    if (closed) {
      config.put(
          "auth",
          new JsonObject()
              .put(
                  "htpasswd", new JsonObject().put("realm", "test").put("path", users.toString())));
    }
    Path file = Files.writeString(folder.resolve("config.yml"), config.encodePrettily());
    Process begun = Launcher.process(folder, List.of(PROGRAM, "serve", file.toString())).start();
    port = Launcher.port(begun, folder, LISTENS);
    return begun;
  }

  /** As references of its images begin. */
  String host() {
    return "127.0.0.1:" + port;
  }

  /** Takes it away, and what it holds stays. */
  void end() throws InterruptedException {
    process.destroyForcibly();
    int unused = Waits.exit(process);
  }

  /** It is there again, under the same address. */
  void beginAnew() throws IOException {
    process = begin();
  }

  /**
   * Pushes an image without layers.
   *
   * @param config in which it differs from others
   * @return its digest
   */
  String push(String repository, String tag, JsonObject config)
      throws IOException, InterruptedException {
    String blob = config.encode();
    String manifest =
        """
        {"schemaVersion": 2, "mediaType": "%s", "layers": [],
         "config": {"mediaType": "%s", "size": %d, "digest": "%s"}}
        """
            .formatted(IMAGE, CONFIG, blob.getBytes(UTF_8).length, upload(repository, blob));
    return put(repository, tag, IMAGE, manifest);
  }

  /** Pushes an index of images for amd64, arm64 and so on; its digest. */
  String pushIndex(String repository, String tag, List<String> digests)
      throws IOException, InterruptedException {
    List<String> platforms = List.of("amd64", "arm64", "riscv64");
    JsonArray manifests = new JsonArray();
    for (String digest : digests) {
      manifests.add(
          new JsonObject()
              .put("mediaType", IMAGE)
              .put("size", 1)
              .put("digest", digest)
              .put(
                  "platform",
                  new JsonObject()
                      .put("os", "linux")
                      .put("architecture", platforms.get(manifests.size()))));
    }
    JsonObject index =
        new JsonObject()
            .put("schemaVersion", 2)
            .put("mediaType", INDEX)
            .put("manifests", manifests);
    return put(repository, tag, INDEX, index.encode());
  }

  private String upload(String repository, String blob) throws IOException, InterruptedException {
    HttpResponse<String> begun =
        send("POST", "http://" + host() + "/v2/" + repository + "/blobs/uploads/", "", "");
    String digest = digest(blob);
    String location = begun.headers().firstValue("Location").orElseThrow();
    send(
        "PUT",
        location + (location.contains("?") ? "&" : "?") + "digest=" + digest,
        "application/octet-stream",
        blob);
    return digest;
  }

  private String put(String repository, String tag, String type, String manifest)
      throws IOException, InterruptedException {
    send("PUT", "http://" + host() + "/v2/" + repository + "/manifests/" + tag, type, manifest);
    return digest(manifest);
  }

  private HttpResponse<String> send(String method, String url, String type, String body)
      throws IOException, InterruptedException {
    String user = Base64.getEncoder().encodeToString((USER + ":" + PASSWORD).getBytes(UTF_8));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url)).method(method, BodyPublishers.ofString(body));
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    if (closed) {
      request.header("Authorization", "Basic " + user);
    }
    HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    return answer;
  }

  static String digest(String text) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return "sha256:" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    end();
  }
}
