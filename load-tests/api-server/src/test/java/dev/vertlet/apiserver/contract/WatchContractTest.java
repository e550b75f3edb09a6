package dev.vertlet.apiserver.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.testsupport.Waits;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(EndpointExtension.class)
public class WatchContractTest {
  private static final String INITIAL =
      "watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

  @Test
  void streamsTheInitialStateAndMarksItsEnd(Api api) {
    String ns = api.namespace();
    api.post(Api.pods(ns), Api.unbound("a")).is(201);
    api.post(Api.pods(ns), Api.unbound("b")).is(201);

    var watch = api.watch(Api.pods(ns) + "?" + INITIAL);

    assertThat(watch.nextLine()).isEqualTo("ADDED a");
    assertThat(watch.nextLine()).isEqualTo("ADDED b");
    JsonNode bookmark = watch.next();
    assertThat(bookmark.path("type").asText()).isEqualTo("BOOKMARK");
    assertThat(bookmark.at("/object/metadata/annotations/k8s.io~1initial-events-end").asText())
        .isEqualTo("true");
    assertThat(bookmark.at("/object/metadata/resourceVersion").asLong()).isPositive();
    assertThat(bookmark.at("/object/spec/containers").isNull()).isTrue();
    watch.close();
  }

  @Test
  void followsFromAResourceVersion(Api api) {
    String ns = api.namespace();
    api.post(Api.pods(ns), Api.bound("old")).is(201);
    String version = api.get(Api.pods(ns)).is(200).version();

    var watch = api.watch(Api.pods(ns) + "?watch=true&resourceVersion=" + version);
    api.post(Api.pods(ns), Api.bound("new")).is(201);
    api.strategic(Api.pods(ns) + "/new/status", "{'status':{'phase':'Running'}}").is(200);

    assertThat(watch.nextLine()).isEqualTo("ADDED new");
    JsonNode modified = watch.next();
    assertThat(modified.path("type").asText()).isEqualTo("MODIFIED");
    assertThat(modified.at("/object/status/phase").asText()).isEqualTo("Running");
    assertThat(modified.at("/object/kind").asText()).isEqualTo("Pod");
    watch.close();
  }

  @Test
  void replaysWhatHappenedSinceAResourceVersion(Api api) {
    String ns = api.namespace();
    String version = api.get(Api.pods(ns)).is(200).version();
    api.post(Api.pods(ns), Api.bound("a")).is(201);
    api.delete(Api.pods(ns) + "/a", "{'gracePeriodSeconds':0}").is(200);

    var watch = api.watch(Api.pods(ns) + "?watch=true&resourceVersion=" + version);

    assertThat(watch.nextLine()).isEqualTo("ADDED a");
    assertThat(watch.nextLine()).isEqualTo("MODIFIED a"); // the deletion mark
    JsonNode deleted = watch.next();
    assertThat(deleted.path("type").asText()).isEqualTo("DELETED");
    assertThat(deleted.at("/object/metadata/resourceVersion").asLong())
        .isGreaterThan(Long.parseLong(version));
    watch.close();
  }

  @Test
  void leavingASelectorLooksLikeADeletion(Api api) {
    String ns = api.namespace();
    var watch = api.watch(Api.pods(ns) + "?labelSelector=app%3Da&" + INITIAL);
    assertThat(watch.nextLine()).isEqualTo("BOOKMARK ");

    api.post(Api.pods(ns), Api.bound("a")).is(201);
    api.post(Api.pods(ns), Api.bound("b")).is(201);
    api.merge(Api.pods(ns) + "/a", "{'metadata':{'labels':{'app':'x'}}}").is(200);
    String version =
        api.merge(Api.pods(ns) + "/a", "{'metadata':{'labels':{'app':'a','v':'2'}}}")
            .is(200)
            .version();

    assertThat(watch.nextLine()).isEqualTo("ADDED a");
    JsonNode left = watch.next();
    assertThat(left.path("type").asText()).isEqualTo("DELETED");
    assertThat(left.at("/object/metadata/labels/app").asText())
        .isEqualTo("a"); // what was seen last
    JsonNode back = watch.next();
    assertThat(back.path("type").asText()).isEqualTo("ADDED");
    assertThat(back.at("/object/metadata/resourceVersion").asText()).isEqualTo(version);
    watch.close();
  }

  @Test
  void selectsPodsOfANode(Api api) {
    String ns = api.namespace();
    String node = Api.unique("node");
    var watch = api.watch("/api/v1/pods?fieldSelector=spec.nodeName%3D" + node + "&" + INITIAL);
    assertThat(watch.nextLine()).isEqualTo("BOOKMARK ");

    api.post(Api.pods(ns), Api.bound("elsewhere")).is(201);
    api.post(Api.pods(ns), Api.unbound("later")).is(201);
    api.post(
            Api.pods(ns) + "/later/binding",
            "{'metadata':{'name':'later'},'target':{'kind':'Node','name':'%s'}}".formatted(node))
        .is(201);

    JsonNode bound = watch.next();
    assertThat(bound.path("type").asText()).isEqualTo("ADDED");
    assertThat(bound.at("/object/spec/nodeName").asText()).isEqualTo(node);
    assertThat(bound.at("/object/status/conditions/0/type").asText()).isEqualTo("PodScheduled");
    watch.close();
  }

  @Test
  void sendsMetadataAloneWhenAskedTo(Api api) {
    String ns = api.namespace();
    api.post(Api.pods(ns), Api.unbound("a")).is(201);

    var watch =
        api.watch(
            Api.pods(ns) + "?" + INITIAL,
            "accept",
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io");

    JsonNode added = watch.next().path("object");
    assertThat(added.path("kind").asText()).isEqualTo("PartialObjectMetadata");
    assertThat(added.path("apiVersion").asText()).isEqualTo("meta.k8s.io/v1");
    assertThat(added.has("spec")).isFalse();
    assertThat(watch.next().at("/object/kind").asText()).isEqualTo("PartialObjectMetadata");
    watch.close();
  }

  @Test
  void endsAfterTheTimeoutAskedFor(Api api) {
    var watch = api.watch(Api.NODES + "?watch=true&resourceVersion=0&timeoutSeconds=1");

    Waits.get(watch.ended());

    assertThat(watch.code()).isEqualTo(200);
  }

  /** The client for Python says {@code True}. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "True", "1", "yes", ""})
  void everyValueButNoAsksForAWatch(String value, Api api) {
    String ns = api.namespace();
    api.post(Api.pods(ns), Api.bound("a")).is(201);

    var watch = api.watch(Api.pods(ns) + "?watch=" + value);

    assertThat(watch.nextLine()).isEqualTo("ADDED a");
    watch.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "false", "False"})
  void noAsksForAList(String value, Api api) {
    assertThat(api.get(Api.pods(api.namespace()) + "?watch=" + value).is(200).text("/kind"))
        .isEqualTo("PodList");
  }

  @Test
  void refusesInitialEventsWithoutTheMatchingRule(Api api) {
    var answer = api.get(Api.NODES + "?watch=true&sendInitialEvents=true&timeoutSeconds=1").is(422);

    assertThat(answer.reason()).isEqualTo("Invalid");
    assertThat(answer.text("/message"))
        .contains("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }

  @Test
  void beginsWithWhatIsThereUnlessToldWhere(Api api) {
    String ns = api.namespace();
    api.post(Api.pods(ns), Api.bound("a")).is(201);
    for (String from : new String[] {"", "&resourceVersion=0"}) {
      var watch = api.watch(Api.pods(ns) + "?watch=true&allowWatchBookmarks=true" + from);

      assertThat(watch.nextLine()).isEqualTo("ADDED a");
      assertThat(watch.next().at("/object/metadata/annotations/k8s.io~1initial-events-end"))
          .hasToString("\"true\"");
      watch.close();
    }
  }

  private static final String[] WEB_SOCKET = {
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Origin: https://example.org"
  };

  private static String[] webSocketWith(String... more) {
    return Stream.concat(Stream.of(WEB_SOCKET), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void eventsComeOverAWebSocket(Api api) {
    String pods = Api.pods(api.namespace());
    api.post(pods, Api.unbound("p")).is(201);

    try (RawConnection socket = api.connect()) {
      socket.request("GET " + pods + "?watch=true", WEB_SOCKET);
      String head = socket.until("{\"type\":\"ADDED\"");
      assertThat(head)
          .startsWith("HTTP/1.1 101 Switching Protocols\r\n")
          .containsIgnoringCase("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n");
      // a message of text that needs 16 bits for its length
      assertThat(head.substring(head.indexOf("\r\n\r\n") + 4)).startsWith("\u0081~");
      api.post(pods, Api.unbound("q")).is(201);
      socket.until("\"name\":\"q\"");
      api.delete(pods + "/p", "").is(200);
      socket.until("{\"type\":\"DELETED\"");
    }
  }

  @Test
  void aWebSocketIsClosedWithItsWatch(Api api) {
    try (RawConnection socket = api.connect()) {
      socket.request(
          "GET /api/v1/namespaces?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Ddefault",
          WEB_SOCKET);
      socket.until("{\"type\":\"ADDED\"");
      // a closing frame with status 1000
      socket.until("\u0088\u0002\u0003\u00e8");
    }
  }

  @Test
  void aClientClosesItsWebSocket(Api api) {
    try (RawConnection socket = api.connect()) {
      socket.request(
          "GET /api/v1/namespaces?watch=true&fieldSelector=metadata.name%3Ddefault", WEB_SOCKET);
      socket.until("{\"type\":\"ADDED\"");
      socket.send("\u0088\u0082\u0001\u0002\u0003\u0004\u0002\u00ea");
      socket.untilClosed();
    }
  }

  @Test
  void aTokenComesAsASubprotocol(Api api) {
    String token =
        Base64.getUrlEncoder().withoutPadding().encodeToString(api.token().getBytes(UTF_8));
    String protocol = "Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io." + token;
    String watch = "GET /api/v1/namespaces?watch=true&fieldSelector=metadata.name%3Ddefault";

    try (RawConnection socket = api.as("").connect()) {
      socket.request(watch, webSocketWith(protocol + ", v"));
      assertThat(socket.until("{\"type\":\"ADDED\"")).contains("Sec-WebSocket-Protocol: v\r\n");
    }
    try (RawConnection socket = api.as("").connect()) {
      socket.request(watch, webSocketWith(protocol));
      assertThat(socket.until("\r\n\r\n")).startsWith("HTTP/1.1 401 ");
    }
  }

  @Test
  void webSocketsAreRefusedAsWatchesAre(Api api) {
    try (RawConnection socket = api.connect()) {
      socket.request("GET /api/v1/namespaces?watch=true&fieldSelector=foo%3Dbar", WEB_SOCKET);
      assertThat(socket.until("field label not supported: foo")).startsWith("HTTP/1.1 400 ");
    }
    try (RawConnection socket = api.connect()) {
      socket.request(
          "GET /api/v1/namespaces?watch=true",
          Stream.of(WEB_SOCKET)
              .filter(header -> !header.startsWith("Origin"))
              .toArray(String[]::new));
      assertThat(socket.until("\r\n\r\n")).startsWith("HTTP/1.1 403 ");
    }
    try (RawConnection socket = api.connect()) {
      socket.request(
          "GET /api/v1/namespaces?watch=true", webSocketWith("Sec-WebSocket-Protocol: a, b"));
      assertThat(socket.until("\r\n\r\n")).startsWith("HTTP/1.1 400 ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/watch/namespaces/%s/pods",
        "/api/v1/watch/namespaces/%s/pods/p",
        "/api/v1/watch/pods?fieldSelector=metadata.namespace%%3D%s"
      })
  void theOldPathsOfWatchesAreServed(String path, Api api) {
    String namespace = api.namespace();
    api.post(Api.pods(namespace), Api.unbound("p")).is(201);

    var watch = api.watch(path.formatted(namespace));

    assertThat(watch.code()).isEqualTo(200);
    assertThat(watch.nextLine()).isEqualTo("ADDED p");
    watch.close();
  }
}
