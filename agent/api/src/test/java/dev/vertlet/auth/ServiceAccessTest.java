package dev.vertlet.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.auth.ServiceAccess.Action;
import dev.vertlet.loop.Env;
import dev.vertlet.testsupport.ManualClock;
import dev.vertlet.testsupport.TestHttp;
import dev.vertlet.testsupport.TestHttp.Answer;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who is admitted to a server of our own by the API server's word. */
@ExtendWith(VertxExtension.class)
class ServiceAccessTest {
  private static final Action CLAIM =
      new Action("create", "vertlet.dev", "sandboxclaims", "team", "tools");

  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private HttpsLab lab;
  private TestHttp http;
  private HttpServer server;

  @BeforeEach
  void start(Vertx vertx) {
    lab = new HttpsLab(vertx);
    http = TestHttp.plain(vertx);
    ServiceAccess access =
        lab.on(
            () ->
                Future.succeededFuture(
                    new ServiceAccess(
                        vertx,
                        lab.kube(),
                        new Env(clock, System::nanoTime, new SplittableRandom(1), lab.metrics))));
    server =
        lab.on(
            () ->
                vertx
                    .createHttpServer()
                    .requestHandler(
                        request ->
                            access
                                .admit(request, CLAIM)
                                .onSuccess(
                                    user ->
                                        request.response().end(user.name() + " " + user.groups()))
                                .onFailure(
                                    failure -> {
                                      AccessDeniedException denied =
                                          (AccessDeniedException) failure;
                                      request
                                          .response()
                                          .setStatusCode(denied.status())
                                          .end(denied.text());
                                    }))
                    .listen(0, "127.0.0.1"));
  }

  private Future<String> asking(@Nullable String token) {
    return asking(http, token);
  }

  private Future<String> asking(TestHttp client, @Nullable String token) {
    String[] headers = token == null ? new String[0] : new String[] {"Authorization", token};
    return client.send(server.actualPort(), HttpMethod.GET, "/", headers).map(Answer::text);
  }

  private String ask(@Nullable String token) {
    return Waits.get(asking(token));
  }

  private String administrator() {
    return "Bearer " + lab.api().token();
  }

  private long reviews(String resource) {
    return lab.api().count("create", resource);
  }

  /** The token of somebody who may nothing. */
  private String nobody() throws Exception {
    Waits.get(
        lab.api()
            .objects()
            .create(
                "serviceaccounts",
                "{\"metadata\": {\"name\": \"nobody\", \"namespace\": \"default\"}}"));
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setAbsoluteURI(
                lab.api().url() + "/api/v1/namespaces/default/serviceaccounts/nobody/token")
            .putHeader("Authorization", administrator())
            .putHeader("Content-Type", "application/json");
    Buffer body =
        Buffer.buffer(
            "{\"apiVersion\": \"authentication.k8s.io/v1\", \"kind\": \"TokenRequest\", \"spec\":"
                + " {}}");
    Buffer answer =
        Waits.get(
            http.client()
                .request(options)
                .compose(open -> open.send(body).compose(sent -> sent.body())));
    return "Bearer "
        + new ObjectMapper().readTree(answer.getBytes()).path("status").path("token").asText();
  }

  @Test
  void whoMayIsAdmittedAndAskedAboutAsWhoHeIs() {
    assertThat(ask(administrator()))
        .startsWith("200 ")
        .contains("system:masters", "system:authenticated");

    JsonObject spec =
        lab.api().requests().stream()
            .filter(request -> request.is("create", "subjectaccessreviews"))
            .map(request -> request.body().toJsonObject().getJsonObject("spec"))
            .findFirst()
            .orElseThrow();
    assertThat(spec.getJsonObject("resourceAttributes"))
        .isEqualTo(
            new JsonObject()
                .put("verb", "create")
                .put("group", "vertlet.dev")
                .put("resource", "sandboxclaims")
                .put("namespace", "team")
                .put("name", "tools"));
    assertThat(spec.getJsonArray("groups")).contains("system:authenticated");
  }

  @Test
  void whoShowsNoTokenIsNotAskedAbout() {
    assertThat(ask(null)).isEqualTo("401 a bearer token is needed");
    assertThat(ask("Basic bWU6c2VjcmV0")).startsWith("401 ");
    assertThat(reviews("tokenreviews")).isZero();
  }

  @Test
  void aTokenThatIsNobodysIsRefused() {
    assertThat(ask("Bearer made-up"))
        .isEqualTo("401 the token is invalid, or could not be checked");
    assertThat(reviews("subjectaccessreviews")).isZero();
  }

  @Test
  void aTokenThatCannotBeCheckedIsRefused() {
    lab.api().faults().on("create", "tokenreviews").forbid();

    assertThat(ask(administrator())).startsWith("401 ");
  }

  @Test
  void aTokenThatNobodyChecksIsToComeAgain() {
    lab.api().faults().on("create", "tokenreviews").respond(503, "ServiceUnavailable");

    assertThat(ask(administrator())).startsWith("503 the API server does not say whose ");
  }

  /** Of two addresses; the API server takes as long as it likes for what is made up. */
  @Test
  void tokensThatAreMadeUpStarveNoneThatIsGood(Vertx vertx) {
    lab.api()
        .faults()
        .on(
            request ->
                request.is("create", "tokenreviews")
                    && request.body().toString().contains("made-up"))
        .hang();
    TestHttp strangers =
        new TestHttp(
            vertx.createHttpClient(
                new HttpClientOptions().setLocalAddress("127.0.0.2"),
                new PoolOptions().setHttp1MaxSize(300)));
    List<Future<String>> answers = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      answers.add(asking(strangers, "Bearer made-up-" + i));
    }
    await().until(() -> answers.stream().filter(Future::isComplete).count() == 300 - 32);

    assertThat(ask(administrator())).startsWith("200 ");
    assertThat(answers.stream().filter(Future::isComplete).map(Future::result))
        .allMatch(answer -> answer.startsWith("429 "));
    assertThat(reviews("tokenreviews")).isEqualTo(33);
  }

  @Test
  void whoMayNotIsToldWhat() throws Exception {
    assertThat(ask(nobody()))
        .isEqualTo(
            "403 system:serviceaccount:default:nobody may not create sandboxclaims.vertlet.dev"
                + " \"tools\" in namespace \"team\"");
  }

  @Test
  void whatCannotBeCheckedIsNotAllowed() {
    lab.api().faults().on("create", "subjectaccessreviews").forbid();

    assertThat(ask(administrator())).startsWith("500 it could not be checked what ");
  }

  @Test
  void anAnswerIsRememberedForAWhile() {
    List<Future<String>> many = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      many.add(asking(administrator()));
    }
    many.forEach(one -> assertThat(Waits.get(one)).startsWith("200 "));
    assertThat(reviews("tokenreviews")).isOne();
    assertThat(reviews("subjectaccessreviews")).isOne();

    clock.advance(Duration.ofMinutes(4));
    ask(administrator());
    assertThat(reviews("tokenreviews")).as("whose it is, two minutes").isEqualTo(2);
    assertThat(reviews("subjectaccessreviews")).as("what he may, five").isOne();
    clock.advance(Duration.ofMinutes(2));
    ask(administrator());

    assertThat(reviews("subjectaccessreviews")).isEqualTo(2);
  }

  @Test
  void aNoIsRememberedForHalfAMinute() throws Exception {
    String token = nobody();
    ask(token);
    clock.advance(Duration.ofSeconds(29));
    ask(token);
    assertThat(reviews("subjectaccessreviews")).isOne();
    clock.advance(Duration.ofSeconds(2));

    ask(token);

    assertThat(reviews("subjectaccessreviews")).isEqualTo(2);
  }
}
