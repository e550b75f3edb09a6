package dev.vertlet.apiserver.metrics;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.kubelet.KubeletClient;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoredObject;
import dev.vertlet.apiserver.websocket.WebSockets;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.SelfSignedCertificate;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class SummariesTest {
  private static final String SUMMARY =
      """
      {"node": {
        "cpu": {"time": "2026-01-02T03:04:05Z", "usageNanoCores": 7},
        "memory": {"workingSetBytes": 8}}}
      """;

  private static Summaries summaries(Vertx vertx, Duration patience) {
    KubeletClient client =
        new KubeletClient(
            vertx,
            SelfSignedCertificate.create().keyCertOptions(),
            connection -> {},
            new WebSockets(connection -> {}));
    return new Summaries(vertx, client, patience);
  }

  private static HttpServer kubelet(Vertx vertx) throws Exception {
    return get(
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setSsl(true)
                    .setKeyCertOptions(SelfSignedCertificate.create().keyCertOptions()))
            .requestHandler(SummariesTest::answer)
            .listen(0, "127.0.0.1"));
  }

  private static void answer(HttpServerRequest request) {
    if (request.path().equals("/stats/summary")) {
      request.response().end(SUMMARY).onFailure(gone -> {});
    }
  }

  private static StoredObject node(String name, int port) {
    return ObjectStore.unsaved(
        Json.parse(
            """
            {"metadata": {"name": "%s"}, "status": {
              "addresses": [{"type": "InternalIP", "address": "127.0.0.1"}],
              "daemonEndpoints": {"kubeletEndpoint": {"Port": %d}}}}
            """
                .formatted(name, port)));
  }

  private static Map<String, Summary> ask(Vertx vertx, Duration patience, List<StoredObject> nodes)
      throws Exception {
    Summaries summaries = summaries(vertx, patience);
    return get(
        Future.<Map<String, Summary>>future(
            done -> vertx.runOnContext(go -> summaries.of(nodes).onComplete(done))));
  }

  @Test
  void asksManyNodes(Vertx vertx) throws Exception {
    int port = kubelet(vertx).actualPort();
    List<StoredObject> nodes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      nodes.add(node("n" + i, port));
    }

    // how fast they answer is not the question
    Map<String, Summary> told = ask(vertx, Duration.ofSeconds(100), nodes);

    assertThat(told.values())
        .hasSize(100)
        .allMatch(summary -> summary.node().orElseThrow().nanoCores() == 7);
  }

  @Test
  void nobodyIsAskedOfNone(Vertx vertx) throws Exception {
    assertThat(ask(vertx, Summaries.PATIENCE, List.of())).isEmpty();
  }

  @Test
  void aNodeThatKeepsSilentIsNotWaitedFor(Vertx vertx) throws Exception {
    Promise<Void> connected = Promise.promise();
    NetServer silent =
        get(
            vertx
                .createNetServer()
                .connectHandler(socket -> connected.tryComplete())
                .listen(0, "127.0.0.1"));

    assertThat(ask(vertx, Duration.ofMillis(100), List.of(node("silent", silent.actualPort()))))
        .isEmpty();

    // Vert.x closes late while a connection is being made whose request has given up
    get(connected.future());
    get(silent.close());
  }
}
