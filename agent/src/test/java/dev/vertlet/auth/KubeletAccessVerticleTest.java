package dev.vertlet.auth;

import static dev.vertlet.testsupport.Waits.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.auth.HttpsLab.Answer;
import dev.vertlet.auth.HttpsLab.Client;
import dev.vertlet.kube.TlsEngine;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is admitted to a real HTTPS server, and what is asked of the API server for it. */
@ExtendWith(VertxExtension.class)
@ParameterizedClass
@EnumSource(
    value = TlsEngine.class,
    names = {"BORINGSSL", "JDK"})
class KubeletAccessVerticleTest {
  @Parameter private TlsEngine engine = TlsEngine.AUTO;
  private static final String MASTERS = "system:masters";

  private final TestAuthority authority = TestAuthority.create("clients");
  @TempDir private Path folder;
  private Vertx vertx;
  private HttpsLab lab;
  private Path clientCa;

  @BeforeEach
  void start(Vertx vertx) throws Exception {
    this.vertx = vertx;
    this.lab = new HttpsLab(vertx);
    this.clientCa = Files.writeString(folder.resolve("ca.pem"), authority.pem());
  }

  private Authentication byFile() {
    return new Authentication(false, clientCa, true, Duration.ofMinutes(2));
  }

  private HttpServer serve(Authentication authentication, String... subresources) {
    return serve(lab.access(authentication, Authorization.DEFAULTS), subresources);
  }

  private HttpServer serve(KubeletAccess access, String... subresources) {
    ServingCertificate certificate =
        new ServingCertificate(
            new ServingKeyManager(TestAuthority.create("servers").server("server").parsed()));
    return lab.serve(
        ServerTls.options(ServingTls.DEFAULTS, certificate, engine.options()),
        access,
        subresources);
  }

  private Answer call(HttpServer server, Client client) {
    return Waits.get(client.call(vertx, server.actualPort()));
  }

  private static void assertUnauthorized(Answer answer) {
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.body()).isEqualTo("Unauthorized");
  }

  @Test
  void aClientOfTheAuthorityIsWhomItsCertificateNames() {
    HttpServer server = serve(byFile(), "proxy");

    Answer answer = call(server, new Client().with(authority.client("jane", MASTERS)));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("jane [system:masters, system:authenticated]");
    assertThat(lab.api().count("create", "tokenreviews")).isZero();
    assertThat(lab.api().count("create", "subjectaccessreviews")).isOne();
  }

  @Test
  void overHttp2Too() {
    HttpServer server = serve(byFile(), "proxy");

    assertThat(call(server, new Client().http2().with(authority.client("jane", MASTERS))).status())
        .isEqualTo(200);
  }

  @Test
  void oneWhoMayNotIsToldWhatHeMayNot() {
    HttpServer server = serve(byFile(), "pods", "proxy");

    Answer answer =
        call(server, new Client().method(HttpMethod.POST).with(authority.client("jane", "devs")));

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body())
        .isEqualTo(
            "Forbidden (user=jane, verb=create, resource=nodes, subresource(s)=[pods proxy])\n");
    // in this order
    assertThat(
            lab.api().requests().stream()
                .filter(request -> request.is("create", "subjectaccessreviews"))
                .map(request -> request.body().toJsonObject().getJsonObject("spec"))
                .map(spec -> spec.getJsonObject("resourceAttributes"))
                .map(asked -> asked.getString("subresource") + " of " + asked.getString("name")))
        .containsExactly("pods of n1", "proxy of n1");
  }

  @Test
  void withoutCredentialsNobodyIsAdmitted() {
    HttpServer server = serve(byFile(), "proxy");

    assertUnauthorized(call(server, new Client()));
    assertUnauthorized(call(server, new Client().with("Authorization", "Basic eDp5")));
    assertThat(lab.api().count("create", "tokenreviews")).isZero();
  }

  @Test
  void aBadCertificateEndsNoHandshakeAndAdmitsNobody() {
    HttpServer server = serve(byFile(), "proxy");
    TestAuthority stranger = TestAuthority.create("clients");

    assertUnauthorized(call(server, new Client().with(authority.expired("jane"))));
    assertUnauthorized(call(server, new Client().with(stranger.client("jane", MASTERS))));
    assertUnauthorized(call(server, new Client().with(authority.server("jane"))));
  }

  @Test
  void aTokenCountsWhereACertificateDoesNot() {
    HttpServer server = serve(byFile(), "proxy");

    Answer answer =
        call(server, new Client().with(authority.expired("jane")).token(lab.api().token()));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).startsWith("vertlet ");
    assertThat(answer.left()).as("what a handler sees").isEqualTo("null null");
  }

  @Test
  void aTokenIsReviewedOnceForManyWhoShowItAtOnce() {
    HttpServer server = serve(byFile(), "proxy");
    lab.api().faults().on("create", "tokenreviews").delay(Duration.ofMillis(200));

    Future<?> all =
        Future.all(
            IntStream.range(0, 20)
                .mapToObj(
                    i -> new Client().token(lab.api().token()).call(vertx, server.actualPort()))
                .map(each -> each.map(answer -> assertThat(answer.status()).isEqualTo(200)))
                .toList());
    Waits.get(all);

    assertThat(lab.api().count("create", "tokenreviews")).isOne();
    assertThat(lab.api().count("create", "subjectaccessreviews")).isOne();
  }

  @Test
  void aTokenThatIsNobodysIsRefused() {
    HttpServer server = serve(byFile(), "proxy");

    assertUnauthorized(call(server, new Client().token("made-up")));
    assertUnauthorized(call(server, new Client().token("made-up").with(authority.expired("jane"))));
  }

  @Test
  void aWebSocketMayCarryItsTokenAmongItsSubprotocols() {
    HttpServer server = serve(byFile(), "proxy");
    String token =
        "base64url.bearer.authorization.k8s.io."
            + Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(lab.api().token().getBytes(UTF_8));

    Client client =
        new Client()
            .with("Connection", "Upgrade")
            .with("Upgrade", "websocket")
            .with("Sec-WebSocket-Protocol", token + ", v5.channel.k8s.io");
    Answer answer = call(server, client);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.left()).isEqualTo("null v5.channel.k8s.io");
    assertUnauthorized(
        call(server, new Client().with("Sec-WebSocket-Protocol", token + ", v5.channel.k8s.io")));
    assertUnauthorized(call(server, client.with("Sec-WebSocket-Protocol", token)));
  }

  @Test
  void aTokenThatIsBadEndsTheSearchForAnother() {
    HttpServer server = serve(byFile(), "proxy");
    String good =
        "base64url.bearer.authorization.k8s.io."
            + Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(lab.api().token().getBytes(UTF_8));

    assertUnauthorized(
        call(
            server,
            new Client()
                .token("made-up")
                .with("Connection", "Upgrade")
                .with("Upgrade", "websocket")
                .with("Sec-WebSocket-Protocol", good + ", v5.channel.k8s.io")));
  }

  @Test
  void aTokenThatNobodyChecksIsToComeAgain() {
    HttpServer server = serve(byFile(), "proxy");
    lab.api().faults().on("create", "tokenreviews").respond(503, "ServiceUnavailable");

    assertThat(call(server, new Client().token(lab.api().token())).status()).isEqualTo(503);
  }

  @Test
  void headersThatNameUsersCountForNothing() {
    HttpServer server = serve(byFile(), "proxy");

    assertUnauthorized(
        call(
            server,
            new Client()
                .with("X-Remote-User", "admin")
                .with("X-Remote-Group", MASTERS)
                .with("Impersonate-User", "admin")));
    assertThat(
            call(
                    server,
                    new Client()
                        .with(authority.client("jane", MASTERS))
                        .with("Impersonate-User", "admin"))
                .body())
        .startsWith("jane ");
  }

  @Test
  void thoseWithoutCredentialsAreAnonymousWhereThatIsAllowed() {
    HttpServer server =
        serve(new Authentication(true, clientCa, true, Duration.ofMinutes(2)), "proxy");

    Answer answer = call(server, new Client());

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body()).startsWith("Forbidden (user=system:anonymous, verb=get,");
    // who lies is not anonymous
    assertUnauthorized(call(server, new Client().token("made-up")));
    assertUnauthorized(call(server, new Client().with(authority.expired("jane"))));
  }

  @Test
  void everythingIsAllowedToThoseWhoAreKnownWhereNobodyIsAsked() {
    KubeletAccess access =
        lab.access(
            byFile(),
            new Authorization(
                Authorization.Mode.ALWAYS_ALLOW, Duration.ofMinutes(5), Duration.ofSeconds(30)));
    HttpServer server = serve(access, "proxy");

    assertThat(call(server, new Client().with(authority.client("jane"))).status()).isEqualTo(200);
    assertUnauthorized(call(server, new Client()));
    assertThat(lab.api().count("create", "subjectaccessreviews")).isZero();
  }

  @Test
  void tokensCountForNothingWhereNobodyReviewsThem() {
    HttpServer server =
        serve(new Authentication(false, clientCa, false, Duration.ofMinutes(2)), "proxy");

    assertUnauthorized(call(server, new Client().token(lab.api().token())));
    assertThat(lab.api().count("create", "tokenreviews")).isZero();
  }

  @Test
  void whatPassesIsTriedAgain() {
    HttpServer server = serve(byFile(), "proxy");
    lab.api().faults().on("create", "tokenreviews").once().cut();
    lab.api().faults().on("create", "subjectaccessreviews").times(4).respond(503, "Busy");

    assertThat(call(server, new Client().token(lab.api().token())).status()).isEqualTo(200);

    assertThat(lab.api().count("create", "tokenreviews")).isEqualTo(2);
    assertThat(lab.api().count("create", "subjectaccessreviews")).isEqualTo(5);
  }

  @Test
  void whatDoesNotPassEndsAfterFiveTries() {
    HttpServer server = serve(byFile(), "stats");
    lab.api().faults().on("create", "subjectaccessreviews").respond(500, "InternalError");

    Answer answer = call(server, new Client().with(authority.client("jane", MASTERS)));

    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body())
        .isEqualTo("Authorization error (user=jane, verb=get, resource=nodes, subresource=stats)");
    assertThat(lab.api().count("create", "subjectaccessreviews")).isEqualTo(5);
  }

  @Test
  void aRightThatTheAgentLacksIsNotTriedAgain() {
    HttpServer server = serve(byFile(), "stats");
    lab.api().faults().on("create", "tokenreviews").forbid();

    assertUnauthorized(call(server, new Client().token(lab.api().token())));

    assertThat(lab.api().count("create", "tokenreviews")).isOne();
  }

  @Test
  void anotherBundleInTheFileCountsWithoutARestart() throws Exception {
    HttpServer server = serve(byFile(), "proxy");
    TestAuthority next = TestAuthority.create("next");
    TestAuthority.Issued before = authority.client("jane", MASTERS);
    TestAuthority.Issued after = next.client("bob", MASTERS);
    assertThat(call(server, new Client().with(before)).status()).isEqualTo(200);
    assertUnauthorized(call(server, new Client().with(after)));

    Files.writeString(clientCa, next.pem());

    eventually(() -> assertThat(call(server, new Client().with(after)).body()).startsWith("bob "));
    assertUnauthorized(call(server, new Client().with(before)));
  }

  @Test
  void aBrokenBundleInTheFileLeavesTheOldOne() throws Exception {
    KubeletAccess access = lab.access(byFile(), Authorization.DEFAULTS);
    HttpServer server = serve(access, "proxy");
    Files.writeString(clientCa, "broken");
    Path sign = Files.writeString(folder.resolve("sign.pem"), "1");
    Promised seen = new Promised();
    lab.on(
        () ->
            Future.succeededFuture(
                FileWatch.start(
                    vertx,
                    List.of(sign),
                    Duration.ofMillis(20),
                    List.of("1".getBytes(UTF_8)),
                    contents -> seen.done = true)));
    // once a later change of another file has been seen, so has this one
    Files.writeString(sign, "2");
    await().until(() -> seen.done);

    assertThat(call(server, new Client().with(authority.client("jane", MASTERS))).status())
        .isEqualTo(200);
    lab.on(access::close);
  }

  private static final class Promised {
    private volatile boolean done;
  }

  @Test
  void aFileThatCannotBeUsedAtFirstIsAnError() throws Exception {
    Path absent = folder.resolve("absent.pem");
    Path broken = Files.writeString(folder.resolve("broken.pem"), "broken");

    assertThatThrownBy(
            () ->
                lab.access(
                    new Authentication(false, absent, true, Duration.ZERO), Authorization.DEFAULTS))
        .hasMessage(
            "server.authentication.clientCAFile " + absent + " cannot be used: no such file");
    assertThatThrownBy(
            () ->
                lab.access(
                    new Authentication(false, broken, true, Duration.ZERO), Authorization.DEFAULTS))
        .hasMessage(
            "server.authentication.clientCAFile "
                + broken
                + " cannot be used: holds no PEM certificate");
  }

  @Test
  void theClustersAuthoritiesCountAndAreFollowed() throws Exception {
    publish(authority.pem());
    HttpServer server = serve(Authentication.DEFAULTS, "proxy");
    TestAuthority next = TestAuthority.create("next");
    TestAuthority.Issued jane = authority.client("jane", MASTERS);
    TestAuthority.Issued bob = next.client("bob", MASTERS);
    assertThat(call(server, new Client().with(jane)).status()).as("the first one").isEqualTo(200);

    publish(authority.pem() + next.pem());

    eventually(() -> assertThat(call(server, new Client().with(bob)).status()).isEqualTo(200));
    assertThat(call(server, new Client().with(jane)).status()).isEqualTo(200);
    // neither what is no bundle nor that there is none takes away what counted
    publish("broken");
    publish("");
    Waits.get(
        lab.api()
            .objects()
            .deleteNow("configmaps", PublishedAuthorities.NAMESPACE, PublishedAuthorities.NAME));
    assertThat(call(server, new Client().with(jane)).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 503})
  void theClustersAuthoritiesAreAskedForAgainWhileThatIsRefused(int code) throws Exception {
    publish(authority.pem());
    lab.api().faults().on("get", "configmaps").times(3).respond(code, "NotNow");
    KubeletAccess access = lab.access(Authentication.DEFAULTS, Authorization.DEFAULTS);
    HttpServer server = serve(access, "proxy");

    eventually(
        () ->
            assertThat(call(server, new Client().with(authority.client("jane", MASTERS))).status())
                .isEqualTo(200));

    assertThat(lab.api().count("get", "configmaps")).isGreaterThanOrEqualTo(4);
    lab.on(access::close);
  }

  @Test
  void authoritiesThatAreNotThereAreWaitedForAndTokensCountMeanwhile() throws Exception {
    lab.api().faults().on("get", "configmaps").once().respond(404, "NotFound");
    HttpServer server = serve(Authentication.DEFAULTS, "proxy");
    assertThat(call(server, new Client().token(lab.api().token())).status()).isEqualTo(200);

    publish(authority.pem());

    eventually(
        () ->
            assertThat(call(server, new Client().with(authority.client("jane", MASTERS))).status())
                .isEqualTo(200));
  }

  /** Creates or replaces what the cluster publishes. */
  private void publish(String pem) throws Exception {
    ObjectNode map = (ObjectNode) new ObjectMapper().readTree("{\"kind\":\"ConfigMap\"}");
    map.putObject("metadata")
        .put("name", PublishedAuthorities.NAME)
        .put("namespace", PublishedAuthorities.NAMESPACE);
    map.putObject("data").put(PublishedAuthorities.KEY, pem);
    var objects = lab.api().objects();
    boolean there =
        Waits.get(
                objects.find(
                    "configmaps", PublishedAuthorities.NAMESPACE, PublishedAuthorities.NAME))
            .isPresent();
    Waits.get(there ? objects.update("configmaps", map) : objects.create("configmaps", map));
  }
}
