package dev.vertlet.sandboxes;

import static dev.vertlet.testsupport.Waits.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.server.BrokenClients;
import dev.vertlet.server.LoggedLines;
import dev.vertlet.testsupport.TestHttp;
import dev.vertlet.testsupport.TestHttp.Answer;
import dev.vertlet.testsupport.Waits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Route;
import io.vertx.junit5.VertxExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
class SandboxApiTest {

  @TempDir private Path folder;
  private final List<SandboxServer> servers = new ArrayList<>();
  private EmbeddedApiServer api;
  private Vertx vertx;
  private TestHttp http;

  @BeforeEach
  void start(Vertx vertx) {
    this.vertx = vertx;
    this.http = TestHttp.plain(vertx);
    api = Waits.get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
  }

  @AfterEach
  void stop() {
    servers.forEach(server -> Waits.get(server.stop()));
    Waits.get(api.stop());
  }

  private SandboxServer serve(String identity, String authentication) throws IOException {
    String config =
        """
        {"resolver": {"kind": "simulated"},
         "api": {"port": 0, "authentication": "%s", "advertise": "http://%s"},
         "leaderElection": {"duration": "3s", "renewInterval": "100ms"},
         "pools": [{"name": "tools", "size": 2, "template": {"spec": {
           "containers": [{"name": "main", "image": "pause:3.10"}]}}}]}
        """
            .formatted(authentication, identity);
    Path file = Files.writeString(folder.resolve(identity + ".json"), config);
    SandboxServer server =
        Waits.get(
            SandboxServer.start(
                vertx,
                SandboxConfig.read(file),
                ApiAccess.of(api.url(), api.token()),
                "default",
                identity,
                new SimpleMeterRegistry()));
    servers.add(server);
    return server;
  }

  private Answer get(SandboxServer server, String path) {
    return http.get(Waits.get(server.port()), path);
  }

  private Answer claim(SandboxServer server, String body) {
    return http.post(
        Waits.get(server.port()),
        "/v1/pools/tools/claims",
        body,
        "content-type",
        "application/json");
  }

  /** The line of the answer to a claim with these headers. */
  private String claimed(SandboxServer server, String... headers) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", Waits.get(server.port()))) {
      String body = "{\"image\": \"t\", \"waitSeconds\": 0}";
      socket
          .getOutputStream()
          .write(
              ("POST /v1/pools/tools/claims HTTP/1.1\r\n%s\r\nContent-Length: %d\r\n\r\n%s")
                  .formatted(String.join("\r\n", headers), body.length(), body)
                  .getBytes(UTF_8));
      return line(socket);
    }
  }

  private static final String OWN = "Host: 127.0.0.1:8480";
  private static final String JSON = "Content-Type: application/json; charset=utf-8";
  private static final String NO_PODS = "HTTP/1.1 503 Service Unavailable";

  /** What a form or a script of any page can send without asking first. */
  @Test
  void aClaimIsJson() throws Exception {
    for (String authentication : List.of("none", "tokenReview")) {
      SandboxServer server = serve(authentication.toLowerCase(Locale.ROOT), authentication);
      acts(server);
      String token = "Authorization: Bearer " + api.token();

      for (String type :
          List.of(
              "text/plain",
              "application/x-www-form-urlencoded",
              "multipart/form-data; boundary=x",
              "text/plain; application/json",
              "application/jsonp",
              "application/json\r\nContent-Type: text/plain")) {
        assertThat(claimed(server, OWN, token, "Content-Type: " + type))
            .as(type)
            .isEqualTo("HTTP/1.1 415 Unsupported Media Type");
      }
      assertThat(claimed(server, OWN, token)).isEqualTo("HTTP/1.1 415 Unsupported Media Type");
      assertThat(claimed(server, OWN, token, JSON)).isEqualTo(NO_PODS);
      Waits.get(server.stop());
      servers.remove(server);
    }
  }

  @Test
  void pagesOfOtherServersClaimNothing() throws Exception {
    SandboxServer server = serve("one", "none");
    acts(server);

    for (String header :
        List.of(
            "Origin: http://evil.example",
            "Origin: http://127.0.0.1:3000",
            "Origin: null",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: same-site")) {
      assertThat(claimed(server, OWN, JSON, header)).as(header).isEqualTo("HTTP/1.1 403 Forbidden");
    }
    assertThat(claimed(server, OWN, JSON, "Origin: http://127.0.0.1:8480")).isEqualTo(NO_PODS);
    assertThat(claimed(server, OWN, JSON, "Sec-Fetch-Site: same-origin")).isEqualTo(NO_PODS);
  }

  @Test
  void withoutAuthenticationAnotherHostIsMisdirected() throws Exception {
    SandboxServer server = serve("one", "none");
    acts(server);

    for (String host :
        List.of("evil.example:8480", "localhost.evil.example", "10.0.0.7:8480", "0.0.0.0")) {
      assertThat(claimed(server, "Host: " + host, JSON))
          .as(host)
          .isEqualTo("HTTP/1.1 421 Misdirected Request");
    }
    for (String host : List.of("localhost:1", "[::1]", "127.0.0.2", "ONE:80")) {
      assertThat(claimed(server, "Host: " + host, JSON)).as(host).isEqualTo(NO_PODS);
    }
  }

  @Test
  void withAuthenticationEveryNameWillDo() throws Exception {
    SandboxServer server = serve("one", "tokenReview");
    acts(server);

    assertThat(
            claimed(
                server,
                "Host: vertlet-sandbox.example.svc",
                JSON,
                "Authorization: Bearer " + api.token()))
        .isEqualTo(NO_PODS);
  }

  private void acts(SandboxServer server) {
    eventually(() -> assertThat(get(server, "/readyz").status()).isEqualTo(200));
  }

  private SandboxServer acting(String authentication) throws IOException {
    SandboxServer server = serve("one", authentication);
    acts(server);
    return server;
  }

  @Test
  void refusalsSayWhy() throws Exception {
    SandboxServer server = acting("none");

    assertThat(get(server, "/v1/pools/tools").body()).contains("\"size\":2");
    assertThat(get(server, "/v1/pools/other").status()).isEqualTo(404);
    assertThat(get(server, "/v1/pools/tools/claims/x").status()).isEqualTo(404);
    for (String bad :
        new String[] {
          "",
          "[]",
          "{\"imag\": 1}",
          "{}",
          "{\"image\": \"a b\"}",
          "{\"image\": 1}",
          "{\"image\": \"t\", \"waitSeconds\": -1}",
          "{\"image\": \"t\", \"waitSeconds\": 0.5}",
          "{\"image\": \"t\", \"waitSeconds\": 18446744073709551617}",
          "{\"image\": \"t\", \"labels\": {\"a\": 1}}",
          "{\"image\": \"t\", \"id\": \"no label\"}"
        }) {
      Answer answer = claim(server, bad);
      assertThat(answer.status()).as("%s: %s", bad, answer.body()).isIn(400, 503);
    }
    Answer half = claim(server, "{\"image\": \"t\", \"waitSeconds\": 0.5}");
    assertThat(half.body()).contains("waitSeconds must be a whole number from 0 to 86400");
    Answer late = claim(server, "{\"image\": \"t\", \"waitSeconds\": 0}");
    assertThat(late.status()).isEqualTo(503);
    assertThat(late.body()).contains("no idle sandboxes available for creating", "NoIdlePods");
  }

  @Test
  void whoIsUnknownIsNotServed() throws Exception {
    SandboxServer server = acting("tokenReview");

    Answer answer = get(server, "/v1/pools");

    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.body()).contains("a bearer token is needed");
    assertThat(get(server, "/openapi.json").status()).isEqualTo(200);
  }

  /** A connection with a claim whose answer nobody has read yet. */
  private Socket post(SandboxServer server, String token, String claim) throws IOException {
    Socket socket = new Socket("127.0.0.1", Waits.get(server.port()));
    socket
        .getOutputStream()
        .write(
            ("POST /v1/pools/tools/claims HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nAuthorization: Bearer %s\r\n"
                    + "Content-Length: %d\r\n\r\n%s")
                .formatted(token, claim.length(), claim)
                .getBytes(UTF_8));
    return socket;
  }

  private int waiting(SandboxServer server) {
    String[] token = TestHttp.bearer(api.token());
    String body = http.get(Waits.get(server.port()), "/v1/pools/tools", token).body();
    return new JsonObject(body).getInteger("waiting");
  }

  private void waits(SandboxServer server, int claims) {
    eventually(() -> assertThat(waiting(server)).isEqualTo(claims));
  }

  private static String claim(String id) {
    return "{\"image\": \"t\", \"id\": \"%s\", \"waitSeconds\": 600}".formatted(id);
  }

  /** No pod of the pool becomes ready here, so claims wait. */
  @Test
  void aStrangerEndsNoClaimOfAnId() throws Exception {
    SandboxServer server = acting("tokenReview");
    try (Socket victim = post(server, api.token(), claim("v2"))) {
      waits(server, 1);

      for (int i = 0; i < 10; i++) {
        long asked = reviews();
        post(server, "stranger-" + i, claim("v2")).close();
        eventually(() -> assertThat(reviews()).isGreaterThan(asked));
      }
      for (int i = 10; i < 20; i++) {
        try (Socket refused = post(server, "stranger-" + i, claim("v2"))) {
          assertThat(line(refused)).isEqualTo("HTTP/1.1 401 Unauthorized");
        }
      }

      assertThat(waiting(server)).isEqualTo(1);
      assertThat(victim.getInputStream().available()).as("not answered").isZero();
    }
    waits(server, 0);
  }

  private static String line(Socket socket) throws IOException {
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
  }

  private long reviews() {
    return api.count(request -> request.resource().equals("tokenreviews"));
  }

  @Test
  void aRequestThatEndsLeavesTheOthersOfItsId() throws Exception {
    SandboxServer server = acting("tokenReview");
    try (Socket second = post(server, api.token(), claim("job"))) {
      waits(server, 1);
      Socket first = post(server, api.token(), claim("job"));
      Socket other = post(server, api.token(), claim("other"));
      waits(server, 2);
      first.close();
      other.close();
      waits(server, 1);
      assertThat(second.getInputStream().available()).as("not answered").isZero();
    }
    waits(server, 0);
  }

  /** {@link URI} has no such paths. */
  private String raw(SandboxServer server, String line) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", Waits.get(server.port()))) {
      socket
          .getOutputStream()
          .write((line + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(UTF_8));
      return line(socket);
    }
  }

  @Test
  void aRequestThatCannotBeReadIsRefusedAndNotLogged() throws Exception {
    SandboxServer server = acting("tokenReview");

    try (LoggedLines log = LoggedLines.all()) {
      for (String line :
          List.of(
              "GET /healthz?%",
              "GET /v1/pools?%zz",
              "GET /v1/pools/tools/claims/x?waitFor=%",
              "POST /v1/pools/tools/claims?%",
              "GET /no/such/path?%")) {
        assertThat(raw(server, line)).as(line).isEqualTo("HTTP/1.1 400 Bad Request");
      }
      for (String path : List.of("/v1/pools/%zz", "/v1/pools/%", "/v1/pools/a%2")) {
        assertThat(raw(server, "GET " + path)).as(path).containsAnyOf(" 400 ", " 401 ", " 404 ");
      }
      assertThat(log.warnings()).isEmpty();
    }
  }

  @Test
  void connectionsThatBreakOffAreNotLogged() throws Exception {
    SandboxServer server = acting("tokenReview");

    try (LoggedLines log = LoggedLines.all()) {
      BrokenClients.connect(Waits.get(server.port()), 2);
      for (int i = 0; i < 10; i++) {
        Socket socket = post(server, api.token(), claim("left").replace('}', ' '));
        socket.setSoLinger(true, 0);
        socket.close();
      }
      waits(server, 0);
      assertThat(log.warnings()).isEmpty();
    }
  }

  /** What a stranger sends is not read, not even as JSON. */
  @Test
  void admissionComesBeforeTheBody() throws Exception {
    SandboxServer server = acting("tokenReview");

    try (Socket refused = post(server, "stranger", "no JSON")) {
      assertThat(line(refused)).isEqualTo("HTTP/1.1 401 Unauthorized");
    }
    try (Socket refused = new Socket("127.0.0.1", Waits.get(server.port()))) {
      refused
          .getOutputStream()
          .write(
              ("POST /v1/pools/tools/claims HTTP/1.1\r\nHost: localhost\r\n"
                      + "Content-Length: 100000\r\n\r\n{")
                  .getBytes(UTF_8));
      assertThat(line(refused)).isEqualTo("HTTP/1.1 401 Unauthorized");
    }
    assertThat(get(server, "/healthz").status()).isEqualTo(200);
  }

  @Test
  void oneActsAndTheOtherNamesIt() throws Exception {
    SandboxServer first = serve("one", "none");
    acts(first);
    SandboxServer second = serve("two", "none");

    eventually(
        () -> {
          Answer answer = get(second, "/v1/pools");
          assertThat(answer.status()).isEqualTo(503);
          assertThat(answer.body()).contains("\"leader\":\"one\"", "\"url\":\"http://one\"");
        });
  }

  /** Of the release command. */
  private record Outcome(int exitCode, String out, String err) {}

  private Outcome release(SandboxServer server, String pool, String id) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        SandboxCommand.tree(new CompletableFuture<>())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute("release", "--server=http://127.0.0.1:" + Waits.get(server.port()), pool, id);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  @Test
  void whatIsGoneAlreadyIsGivenBack() throws Exception {
    SandboxServer server = acting("none");

    Outcome gone = release(server, "tools", "job-1");

    assertThat(gone.exitCode()).isZero();
    assertThat(gone.out()).contains("job-1", "gone", "nothing to give back");
    assertThat(gone.err()).isEmpty();
    Outcome mistaken = release(server, "toools", "job-1");
    assertThat(mistaken.exitCode()).isNotZero();
    assertThat(mistaken.err()).contains("pool \"toools\" not found (404)");
  }

  @Test
  void theDocumentHasAllRoutes() {
    SandboxConfig config =
        SandboxConfig.read(Path.of("..", "..", "conf", "examples", "sandbox", "tools.json"));
    SandboxApi server =
        new SandboxApi(
            config,
            Optional::empty,
            () -> new LeaderVerticle.Known("", ""),
            v -> {
              throw new IllegalStateException("not asked");
            },
            new SimpleMeterRegistry());
    Waits.get(vertx.deployVerticle(server));
    Set<String> routes = new TreeSet<>();
    for (Route route : server.router().getRoutes()) {
      if (route.getPath() == null) {
        continue; // what all of them do when they fail
      }
      String path = route.getPath().replaceAll(":([a-z]+)", "{$1}");
      route.methods().forEach(m -> routes.add(m.name().toLowerCase(Locale.ROOT) + " " + path));
    }
    Set<String> documented = new TreeSet<>();
    JsonObject paths = SandboxApi.document().getJsonObject("paths");
    for (String path : paths.fieldNames()) {
      for (String method : paths.getJsonObject(path).fieldNames()) {
        if (!method.equals("parameters")) {
          documented.add(method + " " + path);
        }
      }
    }

    assertThat(documented).isEqualTo(routes);
  }
}
