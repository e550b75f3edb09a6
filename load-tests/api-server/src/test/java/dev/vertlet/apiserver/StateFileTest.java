package dev.vertlet.apiserver;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.contract.Api;
import dev.vertlet.apiserver.state.StateFileException;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpVersion;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
class StateFileTest {
  private ApiServerOptions options = ApiServerOptions.defaults();
  private Path file = Path.of("");

  @BeforeEach
  void inFile(@TempDir Path dir) {
    file = dir.resolve("deep").resolve("state.jsonl");
    options =
        ApiServerOptions.defaults().withStateFile(file).withStateInterval(Duration.ofMillis(5));
  }

  private EmbeddedApiServer start(Vertx vertx) throws Exception {
    return get(EmbeddedApiServer.start(vertx, options));
  }

  @Test
  void aClusterSurvivesARestart(Vertx vertx) throws Exception {
    EmbeddedApiServer first = start(vertx);
    get(first.objects().create("nodes", Manifests.node("n")));
    var pod = get(first.objects().create("pods", Manifests.pod("p", "n")));
    long revision = get(first.objects().revision());
    get(first.stop());

    EmbeddedApiServer second = start(vertx);
    Api api = new Api(vertx, second.url(), second.token(), HttpVersion.HTTP_2);

    assertThat(get(second.objects().get("pods", "default", "p"))).isEqualTo(pod);
    assertThat(get(second.objects().revision())).isGreaterThan(revision);
    assertThat(second.caPem()).isEqualTo(first.caPem());
    var watch = api.watch("/api/v1/pods?watch=true&resourceVersion=" + revision);
    assertThat(watch.next().at("/object/code").asInt()).isEqualTo(410);
    assertThat(api.get("/api/v1/nodes").is(200).body().path("items")).hasSize(1);
    assertThat(api.get("/api/v1/namespaces").is(200).body().path("items")).hasSize(4);
    assertThat(
            api.get("/api/v1/namespaces/default/services/kubernetes")
                .is(200)
                .text("/spec/ports/0/targetPort"))
        .isEqualTo(String.valueOf(second.port()));
  }

  @Test
  void changesAreWrittenWhileItRuns(Vertx vertx) throws Exception {
    EmbeddedApiServer server = start(vertx);
    get(server.objects().create("nodes", Manifests.node("survivor")));

    await().until(() -> Files.exists(file) && Files.readString(file).contains("survivor"));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    get(server.stop());
    try (var left = Files.list(file.getParent())) {
      assertThat(left).containsExactly(file);
    }
  }

  @Test
  void aCorruptFileIsNamedAndKept(Vertx vertx) throws Exception {
    get(start(vertx).stop());
    List<String> lines = Files.readAllLines(file);
    assertCorrupt(vertx, "", "line 1: the file ends too early");
    assertCorrupt(vertx, "{}", "line 1: it does not begin with the format");
    assertCorrupt(vertx, String.join("\n", lines.subList(0, 3)), "line 4: the file ends too early");
    assertCorrupt(
        vertx,
        String.join("\n", lines).replace("kube-public", "cube-public"),
        "the checksum is wrong");
    assertCorrupt(vertx, lines.get(0) + "\n{", "line 2: it is not JSON");
  }

  private void assertCorrupt(Vertx vertx, String content, String why) throws Exception {
    Files.writeString(file, content);

    assertThatThrownBy(() -> start(vertx))
        .isInstanceOf(StateFileException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(why);

    assertThat(Files.readString(file)).isEqualTo(content);
  }
}
