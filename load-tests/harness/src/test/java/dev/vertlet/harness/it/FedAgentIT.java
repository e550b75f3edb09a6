package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.agent.Vertlet;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.pods.PodFeed;
import dev.vertlet.pods.PodSource;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent whose pods come from the program it runs in, with the embedded API server. */
class FedAgentIT {

  @TempDir private Path folder;
  private Vertx vertx;
  private EmbeddedApiServer server;

  /** A program's own knowledge of pods: here it asks the server in its own process. */
  private final class Program implements PodSource {
    private final CompletableFuture<PodFeed> feed = new CompletableFuture<>();

    @Override
    public Future<Void> start(PodFeed given) {
      feed.complete(given);
      return Future.succeededFuture();
    }

    @Override
    public Future<List<PodView>> list(String node) {
      return server
          .objects()
          .list("pods", "default")
          .map(
              pods ->
                  pods.stream()
                      .filter(pod -> pod.at("/spec/nodeName").asText().equals(node))
                      .map(FedAgentIT::view)
                      .toList());
    }

    /** What its own watch would tell. */
    void sees(String pod) throws Exception {
      feed.get().store(view(read(pod)));
    }
  }

  private static PodView view(ObjectNode pod) {
    return PodFeed.decode(Buffer.buffer(pod.toString()));
  }

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    server = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults()));
  }

  @AfterEach
  void stop() throws Exception {
    get(server.stop());
    get(vertx.close());
  }

  private ObjectNode read(String pod) throws Exception {
    return get(server.objects().get("pods", "default", pod));
  }

  private String config() throws Exception {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    return new JsonObject()
        .put("nodes", new JsonArray().add(new JsonObject().put("name", "fed")))
        .put("kubernetes", new JsonObject().put("kubeconfig", kubeconfig.toString()))
        .put("agent", new JsonObject().put("dataDir", folder.resolve("data").toString()))
        .put("server", new JsonObject().put("port", 0))
        .encode();
  }

  private void runs(String pod) {
    eventually(() -> assertThat(read(pod).at("/status/phase").asText()).isEqualTo("Running"));
  }

  @Test
  void podsComeFromTheProgramAndNoWatchOfTheAgents() throws Exception {
    get(server.objects().create("pods", Manifests.pod("before", "fed")));
    Program program = new Program();
    try (Vertlet vertlet = Vertlet.builder(config()).withPods(program).start()) {
      assertThat(vertlet).isNotNull();
      runs("before");
      get(server.objects().create("pods", Manifests.pod("after", "fed")));
      program.sees("after");
      runs("after");

      get(server.objects().delete("pods", "default", "after"));
      program.sees("after");

      await().until(() -> get(server.objects().find("pods", "default", "after")).isEmpty());
      assertThat(get(program.feed.get().load("default", "before"))).isPresent();
      assertThat(server.count("watch", "pods")).isZero();
      assertThat(server.count("list", "pods")).isZero();
    }
    assertThat(read("before").at("/status/phase").asText()).isEqualTo("Running");
  }

  @Test
  @Tag("PodEventFilter")
  void podsThatTheProgramRefusesAreLeftToOthers() throws Exception {
    try (Vertlet vertlet =
        Vertlet.builder(config()).withFilter(pod -> !pod.labels().containsKey("theirs")).start()) {
      assertThat(vertlet).isNotNull();
      ObjectNode theirs = Manifests.pod("theirs", "fed");
      theirs.withObject("/metadata/labels").put("theirs", "yes");
      get(server.objects().create("pods", theirs));
      ObjectNode before = read("theirs");
      get(server.objects().create("pods", Manifests.pod("ours", "fed")));
      runs("ours");

      assertThat(read("theirs")).isEqualTo(before);
    }
  }
}
