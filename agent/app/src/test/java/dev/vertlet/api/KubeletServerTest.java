package dev.vertlet.api;

import static dev.vertlet.testsupport.Waits.get;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.provider.stream.PodStreams;
import dev.vertlet.testsupport.TestHttp.Answer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes with a port each, over TLS. */
@ExtendWith(VertxExtension.class)
class KubeletServerTest {
  private static ServerLab lab;

  /** Names that mean something in URLs or in HTML. */
  private static final List<String> ODD =
      List.of("a b", "100%", "%41", "a#b", "a?b", "a\"b", "a'b", "a&amp;b", "http:x", "a;b", "a+b");

  @BeforeAll
  static void start(Vertx vertx, @TempDir Path dir) throws Exception {
    Files.writeString(dir.resolve("a.log"), "line\n");
    Files.createDirectory(dir.resolve("sub"));
    Files.writeString(dir.resolve("sub/<b>.log"), "other\n");
    Files.createDirectory(dir.resolve("odd"));
    for (String name : ODD) {
      Files.writeString(dir.resolve("odd").resolve(name), "this is " + name);
    }
    Files.createSymbolicLink(dir.resolve("out"), Path.of("/etc/hostname"));
    lab = ServerLab.start(vertx, new JsonObject().put("logDirectory", dir.toString()).encode(), 2);
  }

  @BeforeEach
  void forget() {
    lab.forget();
  }

  /**
   * C61, virtual-kubelet 2.4-13: what comes of each way to ask. All routes stand in KubeletApiTest;
   * here is one for each right, and what only this provider has.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET  | /healthz                                          | [healthz, proxy] | 200",
        "HEAD | /healthz                                          | [healthz, proxy] | 200",
        "GET  | /healthz/ping                                     | [healthz, proxy] | 200",
        "GET  | /healthz/log/                                     | [healthz, proxy] | 200",
        "GET  | /healthz/syncloop                                 | [healthz, proxy] | 200",
        "GET  | /pods                                             | [pods, proxy]    | 200",
        "GET  | /containerLogs/default/pod-of-n0/c                | [proxy]          | 200",
        "GET  | /containerLogs/default/pod-of-n0/debugger         | [proxy]          | 200",
        "GET  | /containerLogs/default/pod-of-n1/c                | [proxy]          | 404",
        "POST | /exec/default/pod-of-n1/c?output=1                | [proxy]          | 404",
        "POST | /run/default/pod-of-n0/c?cmd=ls                   | [proxy]          | 200",
        "POST | /run/default/static/uid-of-static/c?cmd=ls        | [proxy]          | 200",
        "POST | /run/default/static/uid-of-mirror/c?cmd=ls        | [proxy]          | 200",
        "GET  | /stats/summary                                    | [stats]          | 501",
        "GET  | /metrics                                          | [metrics]        | 200",
        "POST | /metrics                                          | [metrics]        | 405",
        "GET  | /configz                                          | [configz, proxy] | 200",
        "GET  | /logs/none.log                                    | [log]            | 404",
        "POST | /checkpoint/default/pod-of-n0/c                   | [checkpoint]     | 404",
        "GET  | /debug/pprof/heap                                 | [proxy]          | 405",
        "GET  | /nothing                                          | [proxy]          | 404"
      })
  @Tag("2.4-13")
  @Tag("C61")
  void everyRouteIsAnsweredByWhoAsksAndHow(
      String method, String path, String subresources, int status) {
    HttpMethod verb = HttpMethod.valueOf(method);

    assertThat(lab.call(verb, path, "").status()).isEqualTo(401);
    assertThat(lab.call(verb, path, ServerLab.FORBIDDEN).status()).isEqualTo(403);
    assertThat(lab.call(verb, path, ServerLab.BROKEN).status()).isEqualTo(500);
    assertThat(lab.call(verb, path, ServerLab.GOOD).status()).isEqualTo(status);
    assertThat(lab.asked).hasSize(4).containsOnly("n0 " + subresources);
  }

  @Test
  void withoutItsFeatureGateThereIsNoCheckpoint() throws Exception {
    Vertx vertx = Vertx.vertx();
    String path = "/checkpoint/default/pod-of-n0/c";
    assertThat(lab.call(HttpMethod.POST, path, ServerLab.GOOD).body())
        .startsWith("checkpointing of default/pod-of-n0/c failed");

    ServerLab gated =
        ServerLab.start(vertx, "{\"featureGates\": {\"ContainerCheckpoint\": false}}", 1);
    try {
      assertThat(gated.call(HttpMethod.POST, path, ServerLab.GOOD).body())
          .isEqualTo("404: Page Not Found");
    } finally {
      get(vertx.close());
    }
  }

  @ParameterizedTest
  @CsvSource({"NOT_FOUND, 404", "INVALID, 400", "UNSUPPORTED, 501", "TEMPORARY, 500"})
  @Tag("2.4-13")
  void whatAProviderRefusesIsAStatusWithItsWords(Kind kind, int status) {
    lab.provider.failing = kind;

    for (String path :
        List.of(
            "/containerLogs/default/pod-of-n0/c",
            "/runningpods/",
            "/exec/default/pod-of-n0/c?output=1",
            "/attach/default/pod-of-n0/c?output=1",
            "/portForward/default/pod-of-n0")) {
      Answer answer = lab.get(path);
      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.body()).isEqualTo("the back end says " + kind);
      assertThat(answer.type()).isEqualTo("text/plain; charset=utf-8");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//containerLogs/default/pod-of-n1/c",
        "/containerLogs//default/pod-of-n1/c",
        "/containerLogs/default/pod-of-n0%2F..%2Fpod-of-n1/c",
        "/containerLogs/default/pod-of-n0/../pod-of-n1/c",
        "/containerLogs/default/%2e%2e/pod-of-n1/c",
        "/nodes/n1/containerLogs/default/pod-of-n1/c",
        "/nodes/n0/../n1/containerLogs/default/pod-of-n1/c",
        "/logs/../a.log",
        "/logs/%2e%2e%2fetc/passwd",
        "/logs/out"
      })
  void tricksWithPathsReachNothing(String path) {
    assertThat(lab.get(path).status()).isEqualTo(404);
    assertThat(lab.provider.logs).isEmpty();
  }

  @Test
  void thePodsOfAPortAreThoseOfItsNode() {
    Answer other =
        lab.call(
            lab.port("n1"), HttpMethod.GET, "/containerLogs/default/pod-of-n1/c", ServerLab.GOOD);

    assertThat(other.body()).isEqualTo("log of default/pod-of-n1\n");
    assertThat(lab.listeners()).isEqualTo(2);
    assertThat(lab.get("/containerLogs/default/pod-of-n1/c").body())
        .isEqualTo("pod \"pod-of-n1\" does not exist");
    assertThat(lab.get("/containerLogs/default/pod-of-n0/d").body())
        .isEqualTo("container \"d\" not found in pod \"pod-of-n0\"");
  }

  @Test
  void aClientThatGoesEndsItsLog() throws Exception {
    lab.provider.endless = true;
    HttpClientResponse response = lab.follow();
    assertThat(response.statusCode()).isEqualTo(200);
    get(lab.provider.followed.future());

    response.request().connection().close();

    get(lab.provider.gone.future());
    assertThat(lab.provider.logs.get(0).follow()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"exec", "attach"})
  @Tag("2.3-exec-attach")
  void aClientThatGoesEndsItsCommand(String verb) throws Exception {
    lab.provider.endless = true;
    WebSocket socket =
        get(
            lab.webSockets()
                .connect(
                    new WebSocketConnectOptions()
                        .setHost("127.0.0.1")
                        .setPort(lab.port("n0"))
                        .setURI("/" + verb + "/default/pod-of-n0/c?command=cat&input=1&output=1")
                        .addHeader("Authorization", "Bearer good")
                        .setSubProtocols(List.of("v5.channel.k8s.io"))));
    get(lab.provider.followed.future());
    assertThat(lab.provider.gone.future().isComplete()).isFalse();

    socket.close();

    get(lab.provider.gone.future());
  }

  @Test
  void aQueryThatCannotBeReadAsAWholeIsRefused() {
    String logs = "/containerLogs/default/pod-of-n0/c?";

    Answer broken = lab.get(logs + "tailLines=%zz");
    assertThat(broken.status()).isEqualTo(400);
    assertThat(broken.body()).startsWith("the query cannot be read: ");
    Answer many = lab.get(logs + "x=1&".repeat(1024));
    assertThat(many.status()).isEqualTo(400);
    assertThat(many.body()).isEqualTo("a query must have at most 1024 parameters\n");
    assertThat(lab.get(logs + "x=1&".repeat(1023)).status()).isEqualTo(200);
  }

  @Test
  void runningPodsAreWhatTheProviderRuns() {
    lab.provider.running =
        List.of(
            report("n0", "a", PodPhase.RUNNING),
            report("n0", "b", PodPhase.SUCCEEDED),
            report("n1", "c", PodPhase.RUNNING));

    JsonObject list = new JsonObject(lab.get("/runningpods/").body());

    assertThat(list.getString("kind")).isEqualTo("PodList");
    assertThat(list.getJsonArray("items")).hasSize(1);
    assertThat(
            list.getJsonArray("items").getJsonObject(0).getJsonObject("metadata").getString("name"))
        .isEqualTo("a");
  }

  private static PodReport report(String node, String name, PodPhase phase) {
    PodStatusView status =
        new PodStatusView(
            phase, null, null, null, List.of(), null, null, List.of(), List.of(), List.of(),
            List.of());
    return new PodReport(new PodRef("default", name, "u-" + name), node, status, false);
  }

  @Test
  void theListOfPodsIsTheApiServersPageByPage() {
    lab.api.objects();
    JsonObject list = new JsonObject(lab.get("/pods").body());

    assertThat(list.getString("kind")).isEqualTo("PodList");
    assertThat(list.getString("apiVersion")).isEqualTo("v1");
    assertThat(list.getJsonArray("items")).isEmpty();
  }

  @Test
  void theConfigurationIsShownAsAKubelets() {
    JsonObject config = new JsonObject(lab.get("/configz").body()).getJsonObject("kubeletconfig");

    assertThat(config.getString("kind")).isEqualTo("KubeletConfiguration");
    assertThat(config.getInteger("port")).isEqualTo(lab.port("n0"));
    assertThat(config.getString("streamingConnectionIdleTimeout")).isEqualTo("4h0m0s");
    assertThat(config.getInteger("maxPods")).isEqualTo(10_000);
    assertThat(
            config.getJsonObject("authentication").getJsonObject("anonymous").getBoolean("enabled"))
        .isFalse();
  }

  @Test
  void aLoopThatDoesNotTurnIsSeen() {
    lab.overdue.add("shard 1");

    assertThat(lab.get("/healthz/syncloop").status()).isEqualTo(500);
    assertThat(lab.get("/healthz/syncloop").body())
        .isEqualTo("internal server error: sync Loop took longer than expected: shard 1\n");
    assertThat(lab.get("/healthz/ping").body()).isEqualTo("ok");
    assertThat(lab.get("/healthz").body())
        .isEqualTo(
            "[+]ping ok\n[+]log ok\n[-]syncloop failed: reason withheld\nhealthz check failed\n");
    assertThat(lab.get("/healthz?exclude=syncloop&verbose").body())
        .isEqualTo("[+]ping ok\n[+]log ok\n[+]syncloop excluded: ok\nhealthz check passed\n");
  }

  @Test
  void filesAreServedAndListed() {
    assertThat(lab.get("/logs/").body())
        .isEqualTo(
            "<pre>\n"
                + "<a href=\"a.log\">a.log</a>\n"
                + "<a href=\"odd/\">odd/</a>\n"
                + "<a href=\"out\">out</a>\n"
                + "<a href=\"sub/\">sub/</a>\n"
                + "</pre>\n");
    assertThat(lab.get("/logs/sub").body()).contains("&lt;b&gt;.log");
    assertThat(lab.get("/logs/sub/%3Cb%3E.log").body()).isEqualTo("other\n");
  }

  @Test
  void everyFileIsReachedByItsLink() {
    Pattern link = Pattern.compile("<a href=\"([^\"]*)\">([^<]*)</a>");
    Matcher links = link.matcher(lab.get("/logs/odd/").body());
    Map<String, String> found = new HashMap<>();
    URI base = URI.create("http://n/logs/odd/");
    while (links.find()) {
      URI target = base.resolve(plain(links.group(1)));
      assertThat(target.getRawQuery()).isNull();
      found.put(plain(links.group(2)), lab.get(target.getRawPath()).body());
    }

    assertThat(found).hasSize(ODD.size());
    ODD.forEach(name -> assertThat(found).containsEntry(name, "this is " + name));
  }

  /** What a browser reads. */
  private static String plain(String html) {
    return html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
  }

  /** Keeps what it was asked for; a container called {@code init} cannot be kept. */
  private static final class Keeper implements PodStreams {
    final List<String> asked = new CopyOnWriteArrayList<>();

    @Override
    public Future<String> checkpoint(ContainerTarget target, Duration limit, Future<Void> gone) {
      asked.add(target.pod().uid() + " " + target.container() + " " + limit.toSeconds());
      return target.container().equals("init")
          ? Future.failedFuture(new IllegalStateException("no room"))
          : Future.succeededFuture("/var/lib/\"c\".tar");
    }
  }

  @Test
  void aCheckpointNamesItsFile() {
    Keeper keeper = new Keeper();
    lab.provider.sessions = keeper;

    Answer answer = call("pod-of-n0/c?timeout=x&timeout=7");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.type()).isEqualTo("application/json");
    assertThat(answer.body()).isEqualTo("{\"items\":[\"/var/lib/\\\"c\\\".tar\"]}");
    List.of("", "?timeout=-1", "?timeout=9223372036854775807")
        .forEach(query -> assertThat(call("pod-of-n0/c" + query).status()).isEqualTo(200));
    assertThat(keeper.asked)
        .containsExactly(
            "uid-of-pod-of-n0 c 7",
            "uid-of-pod-of-n0 c 0",
            "uid-of-pod-of-n0 c 0",
            "uid-of-pod-of-n0 c 2147483647");
    assertThat(call("pod-of-n0/c?timeout=9223372036854775808").status()).isEqualTo(404);
    assertThat(keeper.asked).hasSize(4);
  }

  @Test
  void aCheckpointThatFailsIsTheServersFailure() {
    lab.provider.sessions = new Keeper();

    Answer answer = call("pod-of-n0/init");

    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body()).isEqualTo("checkpointing of default/pod-of-n0/init failed (no room)");
  }

  /** virtual-kubelet 2.4-13; the exit code and standard error come on channels of their own. */
  @Test
  @Tag("2.4-13")
  void aCommandRunsOverAWebSocket() throws Exception {
    WebSocketConnectOptions options =
        new WebSocketConnectOptions()
            .setHost("127.0.0.1")
            .setPort(lab.port("n0"))
            .setURI("/exec/default/pod-of-n0/c?command=sh&command=fail&input=1&output=1&error=1")
            .addHeader("Authorization", "Bearer good")
            .setSubProtocols(List.of("v5.channel.k8s.io"));
    Promise<Void> closed = Promise.promise();
    Map<Integer, String> channels = new ConcurrentHashMap<>();
    get(
        lab.webSockets()
            .connect(options)
            .onSuccess(
                socket -> {
                  socket.binaryMessageHandler(
                      message ->
                          channels.merge(
                              (int) message.getByte(0),
                              message.getString(1, message.length()),
                              String::concat));
                  socket.closeHandler(v -> closed.complete());
                  socket.writeBinaryMessage(Buffer.buffer("\0go on"));
                }));

    get(closed.future());
    assertThat(channels).containsEntry(1, "out").containsEntry(2, "err");
    assertThat(channels.get(3)).contains("NonZeroExitCode", "ExitCode", "\"3\"");
    assertThat(lab.provider.execs.get(0).command()).containsExactly("sh", "fail");
    assertThat(lab.provider.execs.get(0).target().pod().uid()).isEqualTo("uid-of-pod-of-n0");
  }

  @Test
  void whatIsRunAsAWholeIsAnsweredAsAWhole() {
    assertThat(run("echo a b").body()).isEqualTo("outerr");
    assertThat(lab.provider.execs.get(0).command()).containsExactly("echo", "a", "b");
    assertThat(run("fail").body()).isEqualTo("command 'fail' exited with 3: outerr");
  }

  @Test
  void commandsThatAreRunTakeNoMoreMemoryThanIsMeantForThem() throws Exception {
    Promise<Integer> end = Promise.promise();
    Promise<Void> written = Promise.promise();
    lab.provider.sessions =
        new PodStreams() {
          @Override
          public Future<Integer> exec(ExecRequest request, ContainerIo io) {
            boolean much = request.command().contains("much");
            int bytes = much ? 16 << 20 : 1;
            Future<Void> told = requireNonNull(io.stdout()).write(Buffer.buffer(new byte[bytes]));
            return much
                ? told.onSuccess(written::complete).compose(v -> end.future())
                : told.map(0).otherwise(141);
          }
        };
    CompletableFuture<Answer> much = CompletableFuture.supplyAsync(() -> run("much"));
    get(written.future());

    Answer little = run("little");

    assertThat(little.status()).isEqualTo(429);
    assertThat(little.body()).contains("takes all room");

    end.complete(0);

    assertThat(much.join().body()).hasSize(16 << 20);
    assertThat(run("little").status()).isEqualTo(200);
  }

  private Answer run(String command) {
    return lab.call(
        HttpMethod.POST,
        "/run/default/pod-of-n0/c?cmd=" + command.replace(" ", "%20"),
        ServerLab.GOOD);
  }

  @Test
  void nodesDeclareWhatApiServersMayUse() {
    assertThat(lab.server.endpoints().result().values())
        .allSatisfy(
            endpoint ->
                assertThat(endpoint.declaredFeatures())
                    .containsExactly("ExtendWebSocketsToKubelet"));
  }

  private Answer call(String rest) {
    return lab.call(HttpMethod.POST, "/checkpoint/default/" + rest, ServerLab.GOOD);
  }
}
