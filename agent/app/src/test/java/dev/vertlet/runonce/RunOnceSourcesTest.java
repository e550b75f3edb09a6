package dev.vertlet.runonce;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.manifest.StaticPod;
import dev.vertlet.sources.NodeSources;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.junit5.VertxExtension;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
class RunOnceSourcesTest {
  private static final String WEB =
      "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: a, image: x}]}}";

  @TempDir private Path folder;

  private final List<String> refused = new ArrayList<>();

  private List<String> read(Vertx vertx, NodeSources... nodes) throws Exception {
    RunOnceSources sources =
        new RunOnceSources(
            vertx,
            Clock.systemUTC(),
            Duration.ofSeconds(30),
            (what, why) -> refused.add(what + ": " + why));
    return get(sources.read(List.of(nodes))).stream().map(StaticPod::toString).toList();
  }

  @Test
  void aNameIsTakenOnce(Vertx vertx) throws Exception {
    Path file = Files.writeString(folder.resolve("web.yaml"), WEB);
    HttpServer server =
        get(
            vertx
                .createHttpServer()
                .requestHandler(request -> request.response().end(WEB))
                .listen(0, "localhost"));
    URI url = URI.create("http://localhost:" + server.actualPort() + "/pods");

    assertThat(read(vertx, new NodeSources("edge", file, url)))
        .singleElement()
        .asString()
        .startsWith("web-edge_default(");
    assertThat(refused)
        .containsExactly("default/web-edge: a pod of this name comes from another source");
  }

  @Test
  void aUidIsTakenOnce(Vertx vertx) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("web.yaml"), WEB.replace("name: web", "name: web, uid: u"));

    assertThat(read(vertx, new NodeSources("a", file, null), new NodeSources("b", file, null)))
        .singleElement()
        .asString()
        .matches("web-[ab]_default\\(u\\)");
    assertThat(refused)
        .singleElement()
        .asString()
        .matches("web-[ab]_default: metadata.uid \"u\" is that of another static pod");
  }

  @Test
  void whatRunsHasTheTimeAtWhichItWasSeen(Vertx vertx) throws Exception {
    Path file = Files.writeString(folder.resolve("web.yaml"), WEB);
    RunOnceSources sources =
        new RunOnceSources(vertx, Clock.systemUTC(), Duration.ofSeconds(30), (what, why) -> {});

    List<StaticPod> pods = get(sources.read(List.of(new NodeSources("edge", file, null))));

    assertThat(pods.get(0).view().annotations()).containsKey("kubernetes.io/config.seen");
  }
}
