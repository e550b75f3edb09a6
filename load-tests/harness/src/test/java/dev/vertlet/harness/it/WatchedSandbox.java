package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.sandbox.SandboxNames;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/**
 * {@code sandbox serve} on the finest log level, with a token of its own, callers' tokens and an
 * image pull secret that it has to send to a registry.
 */
final class WatchedSandbox {
  private static final SandboxNames NAMES = SandboxNames.AGENTBOX;
  private static final String POOL = "tools";
  private static final String CLAIMS = "/v1/pools/" + POOL + "/claims";
  private static final String SECRET = "registry";

  private static final String LOGBACK =
      """
      <configuration>
        <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%level %logger %msg%n%ex</pattern></encoder>
        </appender>
        <logger name="dev.vertlet" level="trace"/>
        <root level="info"><appender-ref ref="console"/></root>
      </configuration>
      """;

  private final TestCluster cluster;
  private final SecretMarks marks;
  private final HttpServer registry;

  /** What the registry was sent as Authorization. */
  private final Queue<String> logins = new ConcurrentLinkedQueue<>();

  private final SandboxProcess server;
  private final String caller;

  private WatchedSandbox(TestCluster cluster, SecretMarks marks, Path folder, Vertx vertx)
      throws Exception {
    this.cluster = cluster;
    this.marks = marks;
    registry = get(vertx.createHttpServer().requestHandler(this::registry).listen(0, "127.0.0.1"));
    Path own = Files.createDirectory(folder.resolve("sandbox"));
    Path logback = Files.writeString(own.resolve("logback.xml"), LOGBACK);
    Path kubeconfig = SandboxAccess.grant(cluster, own);
    marks.add("the sandbox server's token", Files.readString(own.resolve("server-token")).strip());
    caller = marks.add("a caller's token", SandboxAccess.caller(cluster, "may", true));
    server =
        cluster.closeAfterTest(
            SandboxProcess.start(
                own,
                config(),
                kubeconfig,
                SandboxProcess.PLAIN,
                List.of("-Dlogback.configurationFile=" + logback)));
  }

  /** Begins to start it. */
  static WatchedSandbox start(TestCluster cluster, SecretMarks marks, Path folder, Vertx vertx)
      throws Exception {
    return new WatchedSandbox(cluster, marks, folder, vertx);
  }

  private String host() {
    return "127.0.0.1:" + registry.actualPort();
  }

  private void registry(HttpServerRequest request) {
    String login = request.getHeader("Authorization");
    if (login == null) {
      request
          .response()
          .setStatusCode(401)
          .putHeader("WWW-Authenticate", "Basic realm=\"registry\"")
          .end();
    } else {
      logins.add(login);
      request.response().setStatusCode(403).end();
    }
  }

  private JsonObject config() {
    return new JsonObject(
        """
        {"resolver": {"plainHttp": ["%2$s"], "registries": ["*"]},
         "leaderElection": {"namespace": "%1$s", "duration": "3s", "renewInterval": "500ms"},
         "pools": [{"name": "%3$s", "namespace": "%1$s",
                    "idleImage": "registry.k8s.io/pause:3.10"}]}
        """
            .formatted(cluster.namespace(), host(), POOL));
  }

  /**
   * Its one pod.
   *
   * @param using what else the pod has
   */
  void createPod(String node, UnaryOperator<PodBuilder> using) {
    String login = "me:" + marks.create("a registry's password");
    JsonObject auth =
        new JsonObject().put("auth", Base64.getEncoder().encodeToString(login.getBytes()));
    cluster.kubectl(
        "create",
        "secret",
        "generic",
        SECRET,
        "--type=kubernetes.io/dockerconfigjson",
        "--from-literal=.dockerconfigjson="
            + new JsonObject().put("auths", new JsonObject().put(host(), auth)).encode());
    cluster.create(
        "warm",
        node,
        pod ->
            using
                .apply(pod)
                .editMetadata()
                .addToLabels(Map.of(NAMES.pool(), POOL, NAMES.phase(), "idle"))
                .endMetadata()
                .editSpec()
                .addNewImagePullSecret(SECRET)
                .endSpec());
  }

  /** Claims it, is refused, and gives it back. What all of that shows. */
  Map<String, String> shown() throws Exception {
    eventually(() -> assertThat(server.ready()).as(server.process().log()).isTrue());
    Map<String, String> all = new LinkedHashMap<>();
    String claim = new JsonObject().put("id", "mine").put("image", host() + "/app:1").encode();
    String wrong = marks.create("a wrong token of a caller");
    String none = marks.add("a token without rights", SandboxAccess.caller(cluster, "not", false));
    all.put("sandbox 401", expect(401, server.ask("POST", CLAIMS, claim, wrong)));
    all.put("sandbox 403", expect(403, server.ask("POST", CLAIMS, claim, none)));
    all.put("sandbox 400", expect(400, server.ask("POST", CLAIMS, "{\"id\": 1}", caller)));
    all.put("sandbox pools", expect(403, server.ask("GET", "/v1/pools", "", caller)));
    all.put("claim", expect(201, server.ask("POST", CLAIMS, claim, caller)));
    await().until(() -> !logins.isEmpty());
    for (String path : List.of("/v1/pools/" + POOL, CLAIMS, CLAIMS + "/mine", "/openapi.json")) {
      all.put("sandbox " + path, expect(200, server.ask("GET", path, "", caller)));
    }
    all.put("release", server.ask("DELETE", CLAIMS + "/mine", "", caller).text());
    for (String path : List.of("/metrics", "/healthz", "/readyz")) {
      all.put("sandbox " + path, server.process().body(path));
    }
    // it did send what is looked for
    assertThat(marks.found(Map.of("login", String.join("\n", logins))))
        .containsExactly("login shows a registry's password");
    server.process().terminate();
    assertThat(server.process().log()).contains("DEBUG dev.vertlet");
    all.put("sandbox log", server.process().log());
    return all;
  }

  private static String expect(int status, SandboxProcess.Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    return answer.text();
  }
}
