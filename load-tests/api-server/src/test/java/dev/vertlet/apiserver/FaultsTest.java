package dev.vertlet.apiserver;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.contract.Api;
import dev.vertlet.apiserver.fault.Faults;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpVersion;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class FaultsTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String STATUS = "{'status':{'phase':'Running'}}";

  private EmbeddedApiServer server;
  private Faults faults;
  private Api api;
  private Api second;

  @BeforeEach
  void start(Vertx vertx) throws Exception {
    server = get(EmbeddedApiServer.start(vertx));
    faults = server.faults();
    api = new Api(vertx, server.url(), server.token(), HttpVersion.HTTP_2);
    second = new Api(vertx, server.url(), server.token(), HttpVersion.HTTP_1_1);
    get(server.objects().create("pods", Manifests.pod("a", "n")));
    get(server.objects().create("pods", Manifests.pod("b", "n")));
  }

  private void touch(String pod) throws Exception {
    get(
        server
            .objects()
            .edit(
                "pods",
                "default",
                pod,
                tree ->
                    tree.withObject("/metadata/labels")
                        .put("t", String.valueOf(System.nanoTime()))));
  }

  @Test
  void strikesWhatMatchesAsOftenAsScripted() {
    var fault = faults.on("patch", "pods/status").named("a").after(1).times(2).conflict();

    api.strategic(PODS + "/a/status", STATUS).is(200); // spared
    api.strategic(PODS + "/b/status", STATUS).is(200); // another name
    api.merge(PODS + "/a", "{}").is(200); // another subresource
    assertThat(api.strategic(PODS + "/a/status", STATUS).is(409).text("/message"))
        .startsWith("Operation cannot be fulfilled on pods \"a\": the object has been modified");
    api.strategic(PODS + "/a/status", STATUS).is(409);
    api.strategic(PODS + "/a/status", STATUS).is(200); // used up

    assertThat(fault.hits()).isEqualTo(2);
    assertThat(fault.isSpent()).isTrue();
  }

  @Test
  void answersWithTheStatusesClientsMustHandle() {
    faults.on("get", "pods").once().throttle(7);
    var throttled = api.get(PODS + "/a").is(429);
    assertThat(throttled.headers().get("retry-after")).isEqualTo("7");
    assertThat(throttled.text("/details/retryAfterSeconds")).isEqualTo("7");
    faults.on("get", "pods").once().respond(500, "InternalError");
    assertThat(api.get(PODS + "/a").is(500).reason()).isEqualTo("InternalError");
    faults.on("*", "pods").once().unauthorized();
    api.get(PODS + "/a").is(401);
    faults.on("list", "*").once().expire();
    assertThat(api.get(PODS).is(410).reason()).isEqualTo("Expired");
    faults.on("list", "pods").in("default").forbid();
    assertThat(api.get(PODS).is(403).text("/message"))
        .isEqualTo(
            "pods is forbidden: User \"vertlet\" cannot list resource \"pods\" in API group \"\" in the namespace \"default\"");
    faults.clear();
    api.get(PODS).is(200);
  }

  @Test
  void aFaultEndsWhenItIsLiftedOrItsTimeIsOver() {
    var lifted = faults.on("get", "pods").respond(503, "ServiceUnavailable");
    api.get(PODS + "/a").is(503);
    lifted.lift();
    api.get(PODS + "/a").is(200);

    var expired =
        faults.on("get", "pods").lasting(Duration.ZERO).respond(503, "ServiceUnavailable");
    api.get(PODS + "/a").is(200);
    assertThat(expired.hits()).isZero();
  }

  @Test
  void delaysAndThenServesOrFails() {
    faults.on("get", "pods").once().delay(Duration.ofMillis(20));
    faults.on("get", "pods").once().respond(500, "InternalError");

    api.get(PODS + "/a").is(500);
    api.get(PODS + "/a").is(200);
  }

  @Test
  void cutsOrLosesAnswers() throws Exception {
    faults.on("get", "pods").once().cut();
    assertThatThrownBy(() -> api.get(PODS + "/a")).isNotNull();
    faults.on("get", "pods").once().reset();
    assertThatThrownBy(() -> api.get(PODS + "/a")).isNotNull();
    faults.on("patch", "pods/status").once().loseAnswer();
    assertThatThrownBy(() -> api.strategic(PODS + "/a/status", STATUS)).isNotNull();

    assertThat(get(server.objects().get("pods", "default", "a")).at("/status/phase").asText())
        .isEqualTo("Running");
  }

  @Test
  void hangsWithoutHoldingUpOthers() {
    var fault = faults.on("list", "nodes").hang();
    var hanging = second.begin("/api/v1/nodes");
    await().until(() -> fault.hits() == 1);

    api.get(PODS).is(200);

    assertThat(hanging.isComplete()).isFalse();
  }

  @Test
  void answersListsFromThePast() throws Exception {
    var fault = faults.on("list", "pods").staleList();
    get(server.objects().deleteNow("pods", "default", "a"));

    var stale = api.get(PODS).is(200);
    fault.lift();
    var fresh = api.get(PODS).is(200);

    assertThat(stale.body().path("items")).hasSize(2);
    assertThat(fresh.body().path("items")).hasSize(1);
    assertThat(Long.parseLong(stale.version())).isLessThan(Long.parseLong(fresh.version()));
  }

  private Api.Watch watching(Api client) {
    Api.Watch watch = client.watch(PODS + "?watch=true&allowWatchBookmarks=true");
    assertThat(watch.nextLine()).isEqualTo("ADDED a");
    assertThat(watch.nextLine()).isEqualTo("ADDED b");
    assertThat(watch.nextLine()).isEqualTo("BOOKMARK "); // ends the initial events
    return watch;
  }

  @Test
  void cutsAWatchInTheMiddleOfAnEvent() throws Exception {
    for (Api client : new Api[] {api, second}) {
      Api.Watch watch = watching(client);
      faults.on("watch", "pods").once().cutMidEvent();
      touch("a");

      assertThatThrownBy(() -> get(watch.ended())).isNotNull();
      assertThat(watch.unread()).isEmpty();
    }
  }

  @Test
  void sendsEventsNoClientShouldTrust() throws Exception {
    Api.Watch watch = watching(api);

    faults.on("watch", "pods").once().malformedEvent();
    touch("a");
    assertThatThrownBy(watch::next).hasRootCauseInstanceOf(JsonProcessingException.class);
    faults.on("watch", "pods").once().oversizedEvent(100_000);
    touch("a");
    assertThat(watch.next().toString().length()).isGreaterThan(100_000);
    faults.on("watch", "pods").once().swallowEvent();
    touch("a");
    touch("b");
    assertThat(watch.nextLine()).isEqualTo("MODIFIED b");
    faults.on("watch", "pods").once().expireEvent();
    touch("a");
    JsonNode error = watch.next();
    assertThat(error.path("type").asText()).isEqualTo("ERROR");
    assertThat(error.at("/object/code").asInt()).isEqualTo(410);
    get(watch.ended());
  }

  @Test
  void cutsAllWatchesAtOnce() throws Exception {
    Api.Watch one = watching(api);
    Api.Watch two = watching(second);

    assertThat(get(server.cutWatches())).isEqualTo(2);

    assertThatThrownBy(() -> get(one.ended())).isNotNull();
    assertThatThrownBy(() -> get(two.ended())).isNotNull();
    assertThat(get(server.openWatches())).isZero();
  }

  @Test
  void anExpiredWindowAnswersWithAnErrorEvent() throws Exception {
    String version = api.get(PODS).version();
    get(server.expireWatchWindow());

    Api.Watch watch = api.watch(PODS + "?watch=true&resourceVersion=" + version);

    JsonNode error = watch.next();
    assertThat(error.path("type").asText()).isEqualTo("ERROR");
    assertThat(error.at("/object/reason").asText()).isEqualTo("Expired");
    assertThat(error.at("/object/code").asInt()).isEqualTo(410);
    get(watch.ended());
    api.get(PODS + "?resourceVersionMatch=Exact&resourceVersion=" + version).is(410);
    api.get(PODS + "?resourceVersion=" + version).is(200);
  }

  @Test
  void anExpiredContinueTokenOffersToGoOnInconsistently() throws Exception {
    var first = api.get(PODS + "?limit=1").is(200);
    get(server.expireWatchWindow());
    get(server.objects().create("pods", Manifests.pod("c", "n")));

    var expired = api.get(PODS + "?limit=1&continue=" + first.text("/metadata/continue")).is(410);

    assertThat(expired.reason()).isEqualTo("Expired");
    assertThat(expired.text("/message"))
        .startsWith("The provided continue parameter is too old to display a consistent list");
    var rest = api.get(PODS + "?continue=" + expired.text("/metadata/continue")).is(200);
    assertThat(rest.body().path("items")).hasSize(2);
    assertThat(rest.text("/items/0/metadata/name")).isEqualTo("b");
    assertThat(Long.parseLong(rest.version())).isGreaterThan(Long.parseLong(first.version()));
  }

  @Test
  void aNarrowWindowForgets(Vertx vertx) throws Exception {
    EmbeddedApiServer narrow =
        get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withWatchWindow(2)));
    Api client = new Api(vertx, narrow.url(), narrow.token(), HttpVersion.HTTP_2);
    String version = client.get("/api/v1/nodes").version();
    for (String name : new String[] {"a", "b", "c"}) {
      get(narrow.objects().create("nodes", Manifests.node(name)));
    }

    Api.Watch watch = client.watch("/api/v1/nodes?watch=true&resourceVersion=" + version);

    assertThat(watch.next().at("/object/code").asInt()).isEqualTo(410);
  }

  @Test
  void aSilentWatchSendsNeitherEventsNorBookmarks() throws Exception {
    Api.Watch watch = watching(api);
    var silence = faults.on("watch", "pods").silence();
    touch("a");
    get(server.sendBookmarks());

    silence.lift();
    touch("b");

    assertThat(watch.nextLine()).isEqualTo("MODIFIED b");
    assertThat(silence.hits()).isEqualTo(1);
  }

  @Test
  void bookmarksTellHowFarAWatchHasCome() throws Exception {
    Api.Watch watch = watching(api);
    get(server.objects().create("nodes", Manifests.node("n")));

    get(server.sendBookmarks());

    JsonNode bookmark = watch.nextOrBookmark();
    assertThat(bookmark.path("type").asText()).isEqualTo("BOOKMARK");
    assertThat(bookmark.at("/object/metadata/resourceVersion").asLong())
        .isEqualTo(get(server.objects().revision()));
  }
}
