package dev.vertlet.sandboxes;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Client of {@code sandbox serve} for commands. Blocks. */
final class SandboxClient {
  private final HttpClient http;
  private final String server;
  private final String token;

  /**
   * @param token empty for none
   * @param authority PEM file with the authorities of the server's certificate; null for Java's
   * @throws RefusedException when the file is invalid
   */
  SandboxClient(String server, String token, @Nullable Path authority) {
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10));
    if (authority != null) {
      builder.sslContext(Authority.read(authority));
    }
    this.http = builder.build();
    this.server = server.replaceFirst("/+$", "");
    this.token = token;
  }

  /** Rejection by a server; its message is a complete line. */
  static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    RefusedException(String message) {
      this(message, 0);
    }

    /**
     * @param status status of the response; 0 for none
     */
    RefusedException(String message, int status) {
      super(message, null, false, false);
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  static String path(String... parts) {
    StringBuilder path = new StringBuilder("/v1/pools");
    for (String part : parts) {
      path.append('/').append(URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"));
    }
    return path.toString();
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path));
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  /**
   * Makes a call.
   *
   * @param body empty for none
   * @throws RefusedException with the server's reason, or when the server is unreachable
   */
  JsonObject call(String method, String path, String body) throws InterruptedException {
    HttpRequest request =
        request(path)
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      return read(answer.statusCode(), answer.body());
    } catch (IOException e) {
      throw new RefusedException(server + " does not answer: " + e);
    }
  }

  /**
   * Releases a sandbox. An unknown sandbox has already ended, which counts as success; an unknown
   * pool is an error.
   *
   * @return as {@link #call}; with the phase {@code gone} when there was nothing to release
   */
  JsonObject release(String pool, String id) throws InterruptedException {
    try {
      return call("DELETE", path(pool, "claims", id), "");
    } catch (RefusedException refused) {
      if (refused.status() != 404) {
        throw refused;
      }
      call("GET", path(pool), "");
      return new JsonObject().put("id", id).put("phase", "gone");
    }
  }

  /** Passes on each event until the server ends the stream or the thread is interrupted. */
  void follow(String path, Consumer<JsonObject> event) throws InterruptedException {
    try {
      HttpResponse<Stream<String>> answer =
          http.send(request(path).build(), BodyHandlers.ofLines());
      try (Stream<String> lines = answer.body()) {
        if (answer.statusCode() != 200) {
          read(answer.statusCode(), String.join("\n", lines.toList()));
        }
        lines
            .filter(line -> line.startsWith("data: "))
            .forEach(line -> event.accept(new JsonObject(line.substring("data: ".length()))));
      }
    } catch (IOException e) {
      throw new RefusedException(server + " does not answer: " + e);
    }
  }

  private static JsonObject read(int status, String body) {
    JsonObject json;
    try {
      json = body.isEmpty() ? new JsonObject() : new JsonObject(body);
    } catch (DecodeException e) {
      throw new RefusedException("the server answers " + status + " and no JSON", status);
    }
    if (status / 100 == 2) {
      return json;
    }
    String leader = json.getString("leader", "");
    String message = json.getJsonObject("error", new JsonObject()).getString("message", "");
    throw new RefusedException(
        message
            + " ("
            + status
            + ")"
            + (leader.isEmpty() ? "" : ": " + leader + " " + json.getString("url", "")),
        status);
  }
}
