package dev.vertlet.auth;

import static dev.vertlet.testsupport.Waits.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.auth.HttpsLab.Client;
import dev.vertlet.auth.file.FileWatch;
import dev.vertlet.auth.tls.ServerTls;
import dev.vertlet.auth.tls.ServingCertificate;
import dev.vertlet.auth.tls.ServingKeyManager;
import dev.vertlet.auth.tls.ServingTls;
import dev.vertlet.auth.tls.TestAuthority;
import dev.vertlet.kube.access.TlsEngine;
import dev.vertlet.testsupport.TestHttp.Answer;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
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
  private int port;
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

  private void serve(Authentication authentication, String... subresources) {
    serve(lab.access(authentication, Authorization.DEFAULTS), subresources);
  }

  private void serve(KubeletAccess access, String... subresources) {
    ServingCertificate certificate =
        new ServingCertificate(
            new ServingKeyManager(TestAuthority.create("servers").server("server").parsed()));
    port =
        lab.serve(
                ServerTls.options(ServingTls.DEFAULTS, certificate, engine.options()),
                access,
                subresources)
            .actualPort();
  }

  private Client jane() {
    return new Client().with(authority.client("jane", MASTERS));
  }

  private Client janeTooLate() {
    return new Client().with(authority.expired("jane"));
  }

  private Client administrator() {
    return new Client().token(lab.api().token());
  }

  /** One that asks for a WebSocket and names the token among the subprotocols. */
  private Client webSocket() {
    return new Client()
        .with("Connection", "Upgrade")
        .with("Upgrade", "websocket")
        .with("Sec-WebSocket-Protocol", protocols());
  }

  private String protocols() {
    String token =
        Base64.getUrlEncoder().withoutPadding().encodeToString(lab.api().token().getBytes(UTF_8));
    return "base64url.bearer.authorization.k8s.io." + token + ", v5.channel.k8s.io";
  }

  private Answer call(Client client) {
    return Waits.get(client.call(vertx, port));
  }

  private Answer admits(Client client) {
    Answer answer = call(client);
    assertThat(answer.status()).isEqualTo(200);
    return answer;
  }

  private void refuses(Client client) {
    assertThat(call(client).text()).isEqualTo("401 Unauthorized");
  }

  private long asked(String verb, String resource) {
    return lab.api().count(verb, resource);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aClientOfTheAuthorityIsWhomItsCertificateNames(boolean http2) {
    serve(byFile(), "proxy");

    Answer answer = admits(http2 ? jane().http2() : jane());

    assertThat(answer.body()).isEqualTo("jane [system:masters, system:authenticated]");
    assertThat(asked("create", "tokenreviews")).isZero();
    assertThat(asked("create", "subjectaccessreviews")).isOne();
  }

  @Test
  void oneWhoMayNotIsToldWhatHeMayNot() {
    serve(byFile(), "pods", "proxy");

    Answer answer =
        call(new Client().method(HttpMethod.POST).with(authority.client("jane", "devs")));

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
    serve(byFile(), "proxy");

    refuses(new Client());
    refuses(new Client().with("Authorization", "Basic eDp5"));
    assertThat(asked("create", "tokenreviews")).isZero();
  }

  @Test
  void aBadCertificateEndsNoHandshakeAndAdmitsNobody() {
    serve(byFile(), "proxy");
    TestAuthority stranger = TestAuthority.create("clients");

    refuses(janeTooLate());
    refuses(new Client().with(stranger.client("jane", MASTERS)));
    refuses(new Client().with(authority.server("jane")));
  }

  @Test
  void aTokenCountsWhereACertificateDoesNot() {
    serve(byFile(), "proxy");

    Answer answer = admits(janeTooLate().token(lab.api().token()));

    assertThat(answer.body()).startsWith("vertlet ");
    assertThat(answer.response().getHeader("left"))
        .as("what a handler sees")
        .isEqualTo("null null");
  }

  @Test
  void aTokenIsReviewedOnceForManyWhoShowItAtOnce() {
    serve(byFile(), "proxy");
    lab.api().faults().on("create", "tokenreviews").delay(Duration.ofMillis(200));

    Future<?> all =
        Future.all(
            IntStream.range(0, 20)
                .mapToObj(i -> administrator().call(vertx, port))
                .map(each -> each.map(answer -> assertThat(answer.status()).isEqualTo(200)))
                .toList());
    Waits.get(all);

    assertThat(asked("create", "tokenreviews")).isOne();
    assertThat(asked("create", "subjectaccessreviews")).isOne();
  }

  @Test
  void aTokenThatIsNobodysIsRefused() {
    serve(byFile(), "proxy");

    refuses(new Client().token("made-up"));
    refuses(janeTooLate().token("made-up"));
  }

  @Test
  void aWebSocketMayCarryItsTokenAmongItsSubprotocols() {
    serve(byFile(), "proxy");

    Answer answer = admits(webSocket());

    assertThat(answer.response().getHeader("left")).isEqualTo("null v5.channel.k8s.io");
    refuses(new Client().with("Sec-WebSocket-Protocol", protocols()));
    refuses(webSocket().with("Sec-WebSocket-Protocol", protocols().split(",")[0]));
  }

  @Test
  void aTokenThatIsBadEndsTheSearchForAnother() {
    serve(byFile(), "proxy");

    refuses(webSocket().token("made-up"));
  }

  @Test
  void aTokenThatNobodyChecksIsToComeAgain() {
    serve(byFile(), "proxy");
    lab.api().faults().on("create", "tokenreviews").respond(503, "ServiceUnavailable");

    assertThat(call(administrator()).status()).isEqualTo(503);
  }

  @Test
  void headersThatNameUsersCountForNothing() {
    serve(byFile(), "proxy");

    refuses(
        new Client()
            .with("X-Remote-User", "admin")
            .with("X-Remote-Group", MASTERS)
            .with("Impersonate-User", "admin"));
    assertThat(call(jane().with("Impersonate-User", "admin")).body()).startsWith("jane ");
  }

  @Test
  void thoseWithoutCredentialsAreAnonymousWhereThatIsAllowed() {
    serve(new Authentication(true, clientCa, true, Duration.ofMinutes(2)), "proxy");

    Answer answer = call(new Client());

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body()).startsWith("Forbidden (user=system:anonymous, verb=get,");
    // who lies is not anonymous
    refuses(new Client().token("made-up"));
    refuses(janeTooLate());
  }

  @Test
  void everythingIsAllowedToThoseWhoAreKnownWhereNobodyIsAsked() {
    KubeletAccess access =
        lab.access(
            byFile(),
            new Authorization(
                Authorization.Mode.ALWAYS_ALLOW, Duration.ofMinutes(5), Duration.ofSeconds(30)));
    serve(access, "proxy");

    admits(new Client().with(authority.client("jane")));
    refuses(new Client());
    assertThat(asked("create", "subjectaccessreviews")).isZero();
  }

  @Test
  void tokensCountForNothingWhereNobodyReviewsThem() {
    serve(new Authentication(false, clientCa, false, Duration.ofMinutes(2)), "proxy");

    refuses(administrator());
    assertThat(asked("create", "tokenreviews")).isZero();
  }

  @Test
  void whatPassesIsTriedAgain() {
    serve(byFile(), "proxy");
    lab.api().faults().on("create", "tokenreviews").once().cut();
    lab.api().faults().on("create", "subjectaccessreviews").times(4).respond(503, "Busy");

    admits(administrator());

    assertThat(asked("create", "tokenreviews")).isEqualTo(2);
    assertThat(asked("create", "subjectaccessreviews")).isEqualTo(5);
  }

  @Test
  void whatDoesNotPassEndsAfterFiveTries() {
    serve(byFile(), "stats");
    lab.api().faults().on("create", "subjectaccessreviews").respond(500, "InternalError");

    Answer answer = call(jane());

    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body())
        .isEqualTo("Authorization error (user=jane, verb=get, resource=nodes, subresource=stats)");
    assertThat(asked("create", "subjectaccessreviews")).isEqualTo(5);
  }

  @Test
  void aRightThatTheAgentLacksIsNotTriedAgain() {
    serve(byFile(), "stats");
    lab.api().faults().on("create", "tokenreviews").forbid();

    refuses(administrator());

    assertThat(asked("create", "tokenreviews")).isOne();
  }

  @Test
  void anotherBundleInTheFileCountsWithoutARestart() throws Exception {
    serve(byFile(), "proxy");
    TestAuthority next = TestAuthority.create("next");
    TestAuthority.Issued before = authority.client("jane", MASTERS);
    TestAuthority.Issued after = next.client("bob", MASTERS);
    admits(new Client().with(before));
    refuses(new Client().with(after));

    Files.writeString(clientCa, next.pem());

    eventually(() -> assertThat(call(new Client().with(after)).body()).startsWith("bob "));
    refuses(new Client().with(before));
  }

  @Test
  void aBrokenBundleInTheFileLeavesTheOldOne() throws Exception {
    KubeletAccess access = lab.access(byFile(), Authorization.DEFAULTS);
    serve(access, "proxy");
    Files.writeString(clientCa, "broken");
    Path sign = Files.writeString(folder.resolve("sign.pem"), "1");
    Promise<Void> seen = Promise.promise();
    lab.on(
        () ->
            Future.succeededFuture(
                FileWatch.start(
                    vertx,
                    List.of(sign),
                    Duration.ofMillis(20),
                    List.of("1".getBytes(UTF_8)),
                    contents -> seen.tryComplete())));
    // once a later change of another file has been seen, so has this one
    Files.writeString(sign, "2");
    Waits.get(seen.future());

    admits(jane());
    lab.on(access::close);
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
    serve(Authentication.DEFAULTS, "proxy");
    TestAuthority next = TestAuthority.create("next");
    TestAuthority.Issued jane = authority.client("jane", MASTERS);
    TestAuthority.Issued bob = next.client("bob", MASTERS);
    admits(new Client().with(jane));

    publish(authority.pem() + next.pem());

    eventually(() -> admits(new Client().with(bob)));
    admits(new Client().with(jane));
    // neither what is no bundle nor that there is none takes away what counted
    publish("broken");
    publish("");
    Waits.get(
        lab.api()
            .objects()
            .deleteNow("configmaps", PublishedAuthorities.NAMESPACE, PublishedAuthorities.NAME));
    admits(new Client().with(jane));
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 503})
  void theClustersAuthoritiesAreAskedForAgainWhileThatIsRefused(int code) throws Exception {
    publish(authority.pem());
    lab.api().faults().on("get", "configmaps").times(3).respond(code, "NotNow");
    KubeletAccess access = lab.access(Authentication.DEFAULTS, Authorization.DEFAULTS);
    serve(access, "proxy");

    eventually(() -> admits(jane()));

    assertThat(asked("get", "configmaps")).isGreaterThanOrEqualTo(4);
    lab.on(access::close);
  }

  @Test
  void authoritiesThatAreNotThereAreWaitedForAndTokensCountMeanwhile() throws Exception {
    lab.api().faults().on("get", "configmaps").once().respond(404, "NotFound");
    serve(Authentication.DEFAULTS, "proxy");
    admits(administrator());

    publish(authority.pem());

    eventually(() -> admits(jane()));
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
