package dev.vertlet.apiserver;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.contract.Api;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(VertxExtension.class)
class EmbeddedApiServerTest {
  private static EmbeddedApiServer start(Vertx vertx, ApiServerOptions options) throws Exception {
    return get(EmbeddedApiServer.start(vertx, options));
  }

  private static Api client(Vertx vertx, EmbeddedApiServer server) {
    return new Api(vertx, server.url(), server.token(), HttpVersion.HTTP_2);
  }

  @ParameterizedTest
  @CsvSource({"true,HTTP_2", "true,HTTP_1_1", "false,HTTP_2", "false,HTTP_1_1"})
  void speaksBothVersionsWithAndWithoutTls(boolean tls, HttpVersion version, Vertx vertx)
      throws Exception {
    ApiServerOptions defaults = ApiServerOptions.defaults();
    EmbeddedApiServer server = start(vertx, tls ? defaults : defaults.withPlainHttp());
    Api api = new Api(vertx, server.url(), server.token(), version);

    api.get("/api/v1/nodes").is(200);

    assertThat(server.requests().get(0).httpVersion()).isEqualTo(version.name());
  }

  @Test
  void refusesAQueryThatCannotBeRead(Vertx vertx) throws Exception {
    EmbeddedApiServer server = start(vertx, ApiServerOptions.defaults());
    Api api = client(vertx, server);
    Api nobody = new Api(vertx, server.url(), "", HttpVersion.HTTP_2);

    for (String path : List.of("/readyz?%", "/api/v1/nodes?limit=%zz", "/_none?a=%f")) {
      assertThat(api.get(path).is(400).reason()).as(path).isEqualTo("BadRequest");
      nobody.get(path).is(400);
    }
    for (String path : List.of("/api/v1/nodes/%zz", "/api/v1/namespaces/%/pods/%", "/%")) {
      assertThat(api.get(path).code()).as(path).isIn(400, 404);
    }
    api.get("/api/v1/nodes").is(200);
  }

  @Test
  void aSecretThatIsNoBase64IsRefusedAndListsGoOn(Vertx vertx) throws Exception {
    EmbeddedApiServer server = start(vertx, ApiServerOptions.defaults());
    Api api = client(vertx, server);
    String secrets = "/api/v1/namespaces/default/secrets";

    Api.Answer refused = api.post(secrets, "{'metadata':{'name':'a'},'data':{'key':'YQ'}}").is(400);

    assertThat(refused.text("/message")).contains("illegal base64 data at input byte 0");
    api.post(secrets, "{'metadata':{'name':'b'},'data':{'key':'YQ==\\n'}}").is(201);
    api.call(HttpMethod.GET, secrets, "", "accept", "application/vnd.kubernetes.protobuf").is(200);
  }

  @Test
  void refusesOtherTokensAndFollowsARotation(Vertx vertx) throws Exception {
    EmbeddedApiServer server = start(vertx, ApiServerOptions.defaults().withTokens("one"));
    Api one = new Api(vertx, server.url(), "one", HttpVersion.HTTP_2);
    Api two = new Api(vertx, server.url(), "two", HttpVersion.HTTP_2);
    Api nobody = new Api(vertx, server.url(), "", HttpVersion.HTTP_2);

    one.get("/api/v1/nodes").is(200);
    assertThat(two.get("/api/v1/nodes").is(401).reason()).isEqualTo("Unauthorized");
    nobody.get("/api/v1/nodes").is(401);
    nobody.get("/healthz").is(200);
    server.acceptTokens("two");

    one.get("/api/v1/nodes").is(401);
    two.get("/api/v1/nodes").is(200);
  }

  @Test
  void writesAKubeconfig(Vertx vertx, @TempDir Path dir) throws Exception {
    EmbeddedApiServer server = start(vertx, ApiServerOptions.defaults());

    Path file = get(server.writeKubeconfig(dir.resolve("config")));

    assertThat(Files.readString(file))
        .contains("server: " + server.url())
        .contains("certificate-authority-data: ")
        .contains("token: " + server.token())
        .contains("current-context: embedded");
  }

  @Test
  void nobodyElseCanReadTheKubeconfig(Vertx vertx, @TempDir Path dir) throws Exception {
    EmbeddedApiServer server = start(vertx, ApiServerOptions.defaults());
    Path readable = Files.writeString(dir.resolve("there"), "of another cluster");
    Files.setPosixFilePermissions(readable, PosixFilePermissions.fromString("rw-r--r--"));

    for (Path file : List.of(readable, dir.resolve("new"))) {
      get(server.writeKubeconfig(file));

      assertThat(Files.getPosixFilePermissions(file))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      assertThat(file).hasContent(server.kubeconfig());
    }
    assertThat(dir.toFile().list()).containsExactlyInAnyOrder("there", "new");
  }

  @Test
  void recordsRequestsInOrder(Vertx vertx) throws Exception {
    EmbeddedApiServer server = start(vertx, ApiServerOptions.defaults());
    Api api = client(vertx, server);
    api.post("/api/v1/namespaces/default/pods", Manifests.pod("p").toString()).is(201);

    api.strategic("/api/v1/namespaces/default/pods/p/status?x=y", "{'status':{'phase':'Running'}}")
        .is(200);

    var request = server.requests().get(1);
    assertThat(request.is("patch", "pods/status")).isTrue();
    assertThat(request.namespace()).isEqualTo("default");
    assertThat(request.name()).isEqualTo("p");
    assertThat(request.contentType()).isEqualTo("application/strategic-merge-patch+json");
    assertThat(request.parameter("x")).isEqualTo("y");
    assertThat(request.json().at("/status/phase").asText()).isEqualTo("Running");
    assertThat(server.count("create", "pods")).isEqualTo(1);
    assertThat(server.count(seen -> seen.isWrite())).isEqualTo(2);
    server.log().clear();
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void aTestPlaysKubectlFromItsOwnThread(Vertx vertx) throws Exception {
    EmbeddedApiServer server = start(vertx, ApiServerOptions.defaults());
    Objects objects = server.objects();

    get(objects.create("nodes", Manifests.node("n")));
    get(objects.create("pods", Manifests.pod("p")));
    get(objects.bind("default", "p", "n"));
    get(objects.patchStatus("pods", "default", "p", "{\"status\":{\"phase\":\"Running\"}}"));
    get(
        objects.edit(
            "pods", "default", "p", pod -> pod.withObject("/metadata/labels").put("a", "b")));

    var pod = get(objects.get("pods", "default", "p"));
    assertThat(pod.at("/spec/nodeName").asText()).isEqualTo("n");
    assertThat(pod.at("/status/phase").asText()).isEqualTo("Running");
    assertThat(pod.at("/metadata/labels/a").asText()).isEqualTo("b");
    assertThat(get(objects.list("pods", ""))).hasSize(1);
    assertThat(
            get(objects.delete("pods", "default", "p"))
                .at("/metadata/deletionGracePeriodSeconds")
                .asInt())
        .isEqualTo(30);
    get(objects.deleteNow("pods", "default", "p"));
    assertThat(get(objects.find("pods", "default", "p"))).isEmpty();
    assertThatThrownBy(() -> get(objects.get("pods", "default", "p")))
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.code()).isEqualTo(404));
  }

  @Test
  void comesBackOnTheSamePortWithTheSameObjects(Vertx vertx) throws Exception {
    EmbeddedApiServer server = start(vertx, ApiServerOptions.defaults());
    Api api = client(vertx, server);
    get(server.objects().create("nodes", Manifests.node("n")));
    var watch = api.watch("/api/v1/nodes?watch=true");
    assertThat(watch.nextLine()).isEqualTo("ADDED n");

    get(server.suspend());
    assertThatThrownBy(() -> get(watch.ended())).isNotNull();
    assertThatThrownBy(() -> api.get("/api/v1/nodes")).isNotNull();
    get(server.resume());

    api.get("/api/v1/nodes/n").is(200);
    assertThat(get(server.openWatches())).isZero();
  }

  @Test
  void aTerminatingNamespaceGoesWithItsLastObject(Vertx vertx) throws Exception {
    EmbeddedApiServer server = start(vertx, ApiServerOptions.defaults());
    Api api = client(vertx, server);
    String ns = api.namespace();
    api.post("/api/v1/namespaces/" + ns + "/configmaps", "{'metadata':{'name':'c'}}").is(201);
    api.post(
            "/api/v1/namespaces/" + ns + "/pods",
            "{'metadata':{'name':'p'},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}")
        .is(201);

    api.delete("/api/v1/namespaces/" + ns, "").is(200);
    await().until(() -> api.get("/api/v1/namespaces/" + ns + "/configmaps/c").code() == 404);
    api.get("/api/v1/namespaces/" + ns).is(200);
    api.delete("/api/v1/namespaces/" + ns + "/pods/p", "{'gracePeriodSeconds':0}").is(200);

    await().until(() -> api.get("/api/v1/namespaces/" + ns).code() == 404);
  }

  @Test
  void listensWhereItIsTold(Vertx vertx) throws Exception {
    EmbeddedApiServer server = start(vertx, ApiServerOptions.defaults().withHost("localhost"));

    assertThat(server.url()).isEqualTo("https://localhost:" + server.port());
    client(vertx, server).get("/api/v1/nodes").is(200);
  }

  @Test
  void timeAndChanceAreInjected(Vertx vertx) throws Exception {
    Instant now = Instant.parse("2026-01-02T03:04:05.678Z");
    ApiServerOptions options =
        ApiServerOptions.defaults()
            .withPlainHttp()
            .withClock(Clock.fixed(now, ZoneOffset.UTC))
            .withRandom(new SplittableRandom(1));
    String first =
        get(start(vertx, options).objects().create("nodes", Manifests.node("n"))).toString();

    String second =
        get(start(vertx, options.withRandom(new SplittableRandom(1)))
                .objects()
                .create("nodes", Manifests.node("n")))
            .toString();

    assertThat(second).isEqualTo(first).contains("2026-01-02T03:04:05Z");
  }

  @Test
  void refusesOptionsThatMakeNoSense() {
    ApiServerOptions options = ApiServerOptions.defaults();

    assertThatThrownBy(() -> options.withPort(70_000))
        .hasMessage("port must be within 0..65535, got 70000");
    assertThatThrownBy(() -> options.withHost(" ")).hasMessage("host must not be blank");
    assertThatThrownBy(() -> options.withWatchWindow(0))
        .hasMessage("watchWindow must be at least 1, got 0");
  }
}
