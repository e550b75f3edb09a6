package dev.vertlet.harness.it;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.apiserver.Manifests;
import io.vertx.core.Vertx;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/embedding.md, as it stands there, against the embedded API server. */
class EmbeddingIT {
  private static final Path DOCUMENT = Path.of("..", "..", "docs", "embedding.md");
  private static final Pattern JAVA = Pattern.compile("(?s)```java\\n(.*?)```");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;
  private Vertx vertx;
  private EmbeddedApiServer server;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    server = EmbeddedApiServer.start(vertx, ApiServerOptions.defaults()).await(30, SECONDS);
  }

  @AfterEach
  void stop() throws Exception {
    server.stop().await(30, SECONDS);
    vertx.close().await(30, SECONDS);
  }

  private String phase(String pod) throws Exception {
    return server
        .objects()
        .get("pods", "default", pod)
        .await(30, SECONDS)
        .at("/status/phase")
        .asText();
  }

  @Test
  void theProgramOfTheDocumentRunsAPodOnItsNode() throws Exception {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    Thread program = run("MyNode", kubeconfig.toString(), folder.resolve("data").toString());
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    program.setUncaughtExceptionHandler((thread, thrown) -> failure.complete(thrown));
    program.start();
    server.objects().create("pods", Manifests.pod("web", "my-node")).await(30, SECONDS);

    await()
        .atMost(PATIENCE)
        .failFast("the program fails", failure::isDone)
        .untilAsserted(() -> assertThat(phase("web")).isEqualTo("Running"));
    server.objects().delete("pods", "default", "web").await(30, SECONDS);
    await()
        .atMost(PATIENCE)
        .until(() -> server.objects().find("pods", "default", "web").await(30, SECONDS).isEmpty());

    program.interrupt();
    program.join(PATIENCE.toMillis());
    assertThat(program.isAlive()).isFalse();
    assertThat(
            server
                .objects()
                .get("leases", "kube-node-lease", "my-node")
                .await(30, SECONDS)
                .at("/spec/holderIdentity")
                .asText(""))
        .as("holder of the lease that was released")
        .isEmpty();
  }

  /** The document's program on a thread of its own, not yet started. */
  private Thread run(String mainClass, String... arguments) throws Exception {
    Matcher block = JAVA.matcher(Files.readString(DOCUMENT));
    assertThat(block.find()).as("a Java block in the document").isTrue();
    Path source = Files.createDirectories(folder.resolve("source"));
    Files.writeString(source.resolve(mainClass + ".java"), block.group(1));
    Path classes = JavaBuild.compile(source, Files.createDirectories(folder.resolve("classes")));
    URL[] urls = {classes.toUri().toURL()};
    // closed with the JVM: the program may load a class at any time
    URLClassLoader loader = new URLClassLoader(urls, getClass().getClassLoader());
    Method main = loader.loadClass(mainClass).getMethod("main", String[].class);
    return new Thread(
        () -> {
          try {
            main.invoke(null, (Object) arguments);
          } catch (ReflectiveOperationException e) {
            if (!(e.getCause() instanceof InterruptedException)) {
              throw new IllegalStateException(e.getCause() == null ? e : e.getCause());
            }
          }
        },
        mainClass);
  }
}
