package dev.vertlet.apiserver;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.contract.Api;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpVersion;
import io.vertx.junit5.VertxExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class AdminTest {
  private static final String FAULTS = "/_admin/faults";
  private static final String PODS = "/api/v1/namespaces/default/pods";

  private EmbeddedApiServer server;
  private Api api;

  @BeforeEach
  void start(Vertx vertx) throws Exception {
    server = get(EmbeddedApiServer.start(vertx));
    api = new Api(vertx, server.url(), server.token(), HttpVersion.HTTP_2);
  }

  @Test
  void scriptsShowsAndLiftsFaults() {
    var added =
        api.post(
                FAULTS,
                "{'verb':'list','resource':'pods','times':2,'after':1,'action':'throttle','retryAfterSeconds':3}")
            .is(201);
    assertThat(added.text("/id")).isEqualTo("1");

    api.get(PODS).is(200);
    assertThat(api.get(PODS).is(429).headers().get("retry-after")).isEqualTo("3");
    var shown = api.get(FAULTS).is(200);
    assertThat(shown.text("/faults/0/hits")).isEqualTo("1");
    assertThat(shown.text("/faults/0/spent")).isEqualTo("false");
    assertThat(shown.text("/faults/0/action")).isEqualTo("throttle");
    api.delete(FAULTS + "/1", "").is(200);
    api.get(PODS).is(200);
    api.get(FAULTS + "/1").is(404);
    assertThat(server.count("list", "pods")).isEqualTo(3);
  }

  @Test
  void noFaultIsScriptedInTheNameOfAnotherUser() {
    assertThat(api.get(FAULTS, "impersonate-user", "nobody").is(403).text("/message"))
        .isEqualTo("admin calls are made in nobody else's name");
    api.delete(FAULTS, "").is(200);
  }

  @Test
  void aFaultThatHitsEverythingCanBeLifted() {
    api.post(FAULTS, "{'action':'respond','code':503,'reason':'ServiceUnavailable'}").is(201);
    api.get(PODS).is(503);

    assertThat(api.delete(FAULTS, "").is(200).body().path("faults")).hasSize(1);

    api.get(PODS).is(200);
    assertThat(api.get(FAULTS).body().path("faults")).isEmpty();
  }

  @Test
  void selectsByNamespaceNameAndUserAgent() {
    api.post(
            FAULTS,
            "{'namespace':'default','name':'p','userAgent':'kubectl','action':'conflict','seconds':60}")
        .is(201);

    assertThat(api.get(PODS + "/p", "user-agent", "kubectl/v1").is(409).reason())
        .isEqualTo("Conflict");
    api.get(PODS + "/p", "user-agent", "other").is(404);
    api.get(PODS + "/q", "user-agent", "kubectl/v1").is(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'delay','millis':1",
        "'expire'",
        "'unauthorized'",
        "'forbid'",
        "'cut'",
        "'reset'",
        "'loseAnswer'",
        "'hang'",
        "'staleList'",
        "'cutMidEvent'",
        "'malformedEvent'",
        "'oversizedEvent','bytes':10",
        "'silence'",
        "'swallowEvent'",
        "'expireEvent'"
      })
  void takesEveryAction(String action) {
    api.post(FAULTS, "{'resource':'leases','action':%s}".formatted(action)).is(201);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|action: no value is not allowed; allowed: delay, respond,",
        "{'action':'foo'}|action: \"foo\" is not allowed; allowed: delay, respond,",
        "{'action':'delay'}|millis: no value is not allowed; allowed: an integer from 1 to 600000",
        "{'action':'cut','times':'x'}|times: \"x\" is not allowed; allowed: an integer from 1 to",
        "{'action':'cut','times':0}|times: 0 is not allowed; allowed: an integer from 1 to",
        "{'action':'cut','tims':1}|tims: unknown field with action \"cut\"; allowed: action,"
            + " after,",
        "{'action':'cut','bytes':1}|bytes: unknown field with action \"cut\"",
        "{'action':'cut','verb':'peek'}|verb: \"peek\" is not allowed; allowed: *, get, list,",
        "{'action':'cut','resource':'pod'}|resource: \"pod\" is not allowed; allowed: *,"
            + " configmaps,",
        "{'action':'respond','code':200,'reason':'x'}|code: 200 is not allowed; allowed: an integer"
            + " from 400 to 599",
        "[]|body: this is not allowed; allowed: a JSON object",
        "{|body: this is not allowed; allowed: a JSON object ("
      })
  void badInputIsNamedAndNothingIsScripted(String body, String message) {
    assertThat(api.post(FAULTS, body).is(400).text("/message")).startsWith(message);
    assertThat(api.get(FAULTS).is(200).body().path("faults")).isEmpty();
  }

  @Test
  void needsTheTokenItStartedWith(Vertx vertx) throws Exception {
    Api stranger = new Api(vertx, server.url(), "other", HttpVersion.HTTP_2);
    stranger.get(FAULTS).is(401);
    new Api(vertx, server.url(), "", HttpVersion.HTTP_2).get(FAULTS).is(401);
    server.acceptTokens("other");
    api.get(FAULTS).is(200); // a scripted rotation does not lock the operator out
    stranger.get(FAULTS).is(401);

    EmbeddedApiServer open =
        get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withTokens()));
    Api anyone = new Api(vertx, open.url(), "", HttpVersion.HTTP_2);
    anyone.get("/api/v1/nodes").is(200);
    assertThat(anyone.get(FAULTS).is(403).text("/message"))
        .isEqualTo("admin calls need a token, and this server was started without any");
  }

  @Test
  void otherPathsAndMethodsAreRefused() {
    api.get("/_admin/other").is(404);
    api.put(FAULTS, "{}").is(405);
    api.get(FAULTS + "/x").is(404);
  }
}
