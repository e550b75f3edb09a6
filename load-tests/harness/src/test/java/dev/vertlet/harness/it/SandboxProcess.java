package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.get;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.api.model.Pod;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * {@code sandbox serve} as users run it, a process with its own JVM, and a client of its API whose
 * requests never wait for each other.
 */
final class SandboxProcess implements AutoCloseable {
  /** Shares no code with the server; as many connections as there are requests under way. */
  static final HttpClient PLAIN =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final AgentProcess process;
  private final HttpClient http;
  private final String url;

  private SandboxProcess(AgentProcess process, HttpClient http, String url) {
    this.process = process;
    this.http = http;
    this.url = url;
  }

  /** What the server answered. */
  record Answer(int status, String text) {
    JsonObject json() {
      return new JsonObject(text);
    }

    /** Why it refused; empty when it did not say. */
    String reason() {
      return json().getJsonObject("error", new JsonObject()).getString("reason", "");
    }
  }

  /**
   * Starts one.
   *
   * @param folder for its log and configuration; its own
   * @param config as in the schema; without address and port
   */
  static SandboxProcess start(Path folder, JsonObject config, Path kubeconfig, HttpClient http)
      throws IOException {
    return start(folder, config, kubeconfig, http, List.of());
  }

  /**
   * @param options of its JVM
   */
  static SandboxProcess start(
      Path folder, JsonObject config, Path kubeconfig, HttpClient http, List<String> options)
      throws IOException {
    int port = LoopbackPorts.next();
    JsonObject api = config.getJsonObject("api", new JsonObject()).copy();
    String scheme = api.containsKey("tlsCertFile") ? "https" : "http";
    String url = scheme + "://127.0.0.1:" + port;
    JsonObject own = config.copy().put("api", api.put("port", port).put("advertise", url));
    Path file = Files.writeString(folder.resolve("sandbox.json"), own.encode());
    Path log = Files.createTempFile(folder, "sandbox-", ".log");
    List<String> command =
        AgentProcess.vertlet(
            options,
            "sandbox",
            "serve",
            "--config",
            file.toString(),
            "--kubeconfig",
            kubeconfig.toString());
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new SandboxProcess(AgentProcess.of(process, log, port), http, url);
  }

  /** What takes the finalizers off its pods ends with the test, so this does it after that. */
  static void letGo(TestCluster cluster) {
    for (Pod pod : cluster.pods().list()) {
      cluster.kubectl(
          "patch",
          "pod",
          pod.getMetadata().getName(),
          "--type=merge",
          "-p",
          "{\"metadata\":{\"finalizers\":null}}");
    }
  }

  /** Its process; the ways in which that is asked are those of an agent's server. */
  AgentProcess process() {
    return process;
  }

  String url() {
    return url;
  }

  /** Whether it acts, and knows its pods. */
  boolean ready() {
    try {
      return http.send(request("GET", "/readyz", "", "").build(), BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false; // it does not listen yet
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  CompletableFuture<Answer> call(String method, String path, String body) {
    return call(method, path, body, "");
  }

  /**
   * @param token empty for none
   * @return fails when there is no answer
   */
  CompletableFuture<Answer> call(String method, String path, String body, String token) {
    return http.sendAsync(request(method, path, body, token).build(), BodyHandlers.ofString())
        .thenApply((HttpResponse<String> a) -> new Answer(a.statusCode(), a.body()));
  }

  /** The same for a test that has nothing else to do. */
  Answer ask(String method, String path, String body, String token) throws Exception {
    return get(call(method, path, body, token));
  }

  HttpRequest.Builder request(String method, String path, String body, String token) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Waits.LONG.plusSeconds(30)) // the server itself waits for 60 s
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  /** Claims a pod and waits until it runs: two requests, as {@code sandbox claim} sends them. */
  CompletableFuture<JsonObject> claim(String pool, String id, String image) {
    String claims = "/v1/pools/" + pool + "/claims";
    String body = new JsonObject().put("id", id).put("image", image).encode();
    return call("POST", claims, body)
        .thenCompose(
            claimed -> {
              expect(201, claimed);
              return call("GET", claims + "/" + id + "?waitFor=running&timeoutSeconds=60", "");
            })
        .thenApply(running -> expect(200, running));
  }

  CompletableFuture<JsonObject> release(String pool, String id) {
    return call("DELETE", "/v1/pools/" + pool + "/claims/" + id, "").thenApply(a -> expect(200, a));
  }

  JsonObject status(String pool) throws Exception {
    return expect(200, ask("GET", "/v1/pools/" + pool, "", ""));
  }

  private static JsonObject expect(int status, Answer answer) {
    if (answer.status() != status) {
      throw new AssertionError(answer.toString());
    }
    return answer.json();
  }

  @Override
  public void close() throws InterruptedException {
    process.close();
  }
}
