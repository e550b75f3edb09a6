package dev.vertlet.apiserver.http;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.apiserver.api.Json;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.parsetools.RecordParser;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class WatchBacklogTest {
  /** One more than the events a client may be behind. */
  private static final int OBJECTS = 10_001;

  private static final String WATCH =
      "/api/v1/namespaces/default/configmaps?watch=true&allowWatchBookmarks=true";

  private EmbeddedApiServer server;
  private Vertx vertx;
  private HttpClient client;

  @BeforeEach
  void start(Vertx given) throws Exception {
    vertx = given;
    server =
        get(
            EmbeddedApiServer.start(
                vertx, ApiServerOptions.defaults().withPlainHttp().withWatchWindow(2 * OBJECTS)));
    client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    get(Future.all(IntStream.range(0, OBJECTS).mapToObj(i -> create("c" + i)).toList()));
  }

  private Future<ObjectNode> create(String name) {
    ObjectNode map = Json.object();
    map.putObject("metadata").put("name", name).put("namespace", "default");
    return server.objects().create("configmaps", map);
  }

  /** A watch of which nothing is read before {@link #read}. */
  private HttpClientResponse watch(String parameters) throws Exception {
    return get(
        client
            .request(HttpMethod.GET, server.port(), "127.0.0.1", WATCH + parameters)
            .compose(
                request ->
                    request
                        .putHeader("authorization", "Bearer " + server.token())
                        .send()
                        .map(HttpClientResponse::pause)));
  }

  /** Reads one chunk a turn until so many lines have come. */
  private List<JsonNode> read(HttpClientResponse response, int lines) throws Exception {
    List<JsonNode> read = new ArrayList<>();
    Promise<List<JsonNode>> all = Promise.promise();
    RecordParser parser =
        RecordParser.newDelimited(
            "\n",
            line -> {
              read.add(Json.parse(line.toString()));
              if (read.size() == lines) {
                all.tryComplete(read);
              }
            });
    response.exceptionHandler(all::tryFail);
    response.endHandler(
        end -> all.tryFail("the watch ended after %d lines".formatted(read.size())));
    response.handler(
        chunk -> {
          parser.handle(chunk);
          vertx.runOnContext(next -> response.fetch(1));
        });
    response.fetch(1);
    return get(all.future());
  }

  private static List<String> types(List<JsonNode> lines) {
    return lines.stream().map(line -> line.path("type").asText()).distinct().toList();
  }

  @Test
  void aLargeStateReachesASlowClientInOrder() throws Exception {
    HttpClientResponse response =
        watch("&sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
    get(create("late"));

    List<JsonNode> lines = read(response, OBJECTS + 2);

    assertThat(types(lines.subList(0, OBJECTS))).containsExactly("ADDED");
    JsonNode end = lines.get(OBJECTS);
    assertThat(end.at("/object/metadata/annotations/k8s.io~1initial-events-end").asText())
        .isEqualTo("true");
    assertThat(lines.get(OBJECTS + 1).at("/object/metadata/name").asText()).isEqualTo("late");
  }

  @Test
  void aLongHistoryReachesASlowClientInOrder() throws Exception {
    HttpClientResponse response = watch("&resourceVersion=1");
    get(create("late"));

    List<JsonNode> lines = read(response, OBJECTS + 1);

    assertThat(types(lines)).containsExactly("ADDED");
    assertThat(lines.get(0).at("/object/metadata/name").asText()).isEqualTo("c0");
    assertThat(lines.get(OBJECTS).at("/object/metadata/name").asText()).isEqualTo("late");
  }

  @Test
  void aClientThatReadsNothingIsCutOffByWhatHappensAfterwards() throws Exception {
    HttpClientResponse response =
        watch("&sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
    assertThat(get(server.openWatches())).isEqualTo(1);

    get(Future.all(IntStream.range(0, OBJECTS).mapToObj(i -> create("more" + i)).toList()));

    assertThat(get(server.openWatches())).isZero();
    assertThat(response.statusCode()).isEqualTo(200);
  }
}
