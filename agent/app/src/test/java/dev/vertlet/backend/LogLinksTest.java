package dev.vertlet.backend;

import static dev.vertlet.testsupport.Waits.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.manifest.ManifestException;
import dev.vertlet.manifest.Manifests;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
class LogLinksTest {
  private static final ContainerRecord RECORD =
      new ContainerRecord(
          "fake://abc",
          "app",
          0,
          "image",
          "image-id",
          new ContainerStateView.Running(Instant.EPOCH),
          null,
          null);

  private static final Path BROKEN = Path.of("/broken");

  @TempDir Path home;

  private static ContainerRuntime runtime(@Nullable Path log) {
    return (ContainerRuntime)
        Proxy.newProxyInstance(
            ContainerRuntime.class.getClassLoader(),
            new Class<?>[] {ContainerRuntime.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "logFile" -> BROKEN.equals(log) ? broken() : log;
                  default -> throw new AssertionError(method);
                });
  }

  private static Path broken() {
    throw new IllegalStateException("broken");
  }

  private static PodView pod() throws ManifestException {
    String text =
        "{apiVersion: v1, kind: Pod, metadata: {name: web, uid: u, namespace: shop},"
            + " spec: {containers: [{name: app, image: x}]}}";
    return new Manifests("node", Manifests.FILE).pod(text.getBytes(UTF_8), "web").view();
  }

  private void start(Vertx vertx, Path directory, @Nullable Path log) throws ManifestException {
    LogLinks logs = new LogLinks(vertx, directory, runtime(log), 20);
    logs.started(pod(), RECORD);
    logs.started(pod(), RECORD);
  }

  @Test
  void aLogInAFileHasALinkForAsLongAsItIsThere(Vertx vertx) throws Exception {
    Path log = Files.writeString(home.resolve("0.log"), "hello");
    Path directory = home.resolve("containers");
    Path link = directory.resolve("web-node_shop_app-abc.log");
    Path other = home.resolve("other");

    start(vertx, directory, log);
    await().until(() -> Files.exists(link));
    assertThat(Files.readString(link)).isEqualTo("hello");
    Files.writeString(directory.resolve("file.log"), "");
    Files.createSymbolicLink(directory.resolve("other.txt"), other);
    Files.delete(log);

    await().until(() -> !Files.isSymbolicLink(link));
    assertThat(directory.resolve("file.log")).exists();
    assertThat(Files.isSymbolicLink(directory.resolve("other.txt"))).isTrue();
  }

  @Test
  void aLinkOfBeforeARestartIsPutRight(Vertx vertx) throws Exception {
    Path log = Files.writeString(home.resolve("0.log"), "hello");
    Path link = home.resolve("web-node_shop_app-abc.log");
    Files.createSymbolicLink(link, Files.writeString(home.resolve("old"), "old"));

    start(vertx, home, log);

    await().until(() -> Files.exists(link) && Files.readString(link).equals("hello"));
  }

  @Test
  void aLogInNoFileHasNone(Vertx vertx) throws Exception {
    start(vertx, home.resolve("containers"), null);

    assertThat(get(vertx.executeBlocking(() -> "after all before it"))).isNotEmpty();
    assertThat(home.resolve("containers")).doesNotExist();
  }

  @Test
  void whatCannotBeLinkedStopsNobody(Vertx vertx) throws Exception {
    Path file = Files.writeString(home.resolve("file"), "mine");

    start(vertx, file, home.resolve("0.log"));
    start(vertx, file, BROKEN);

    assertThat(get(vertx.executeBlocking(() -> "after all before it"))).isNotEmpty();
    assertThat(file).hasContent("mine");
  }
}
