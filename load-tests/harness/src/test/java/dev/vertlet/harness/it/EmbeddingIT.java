package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Vertx;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
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

  @TempDir private Path folder;
  private Vertx vertx;
  private EmbeddedApiServer server;

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

  private String phase(String pod) throws Exception {
    return get(server.objects().get("pods", "default", pod)).at("/status/phase").asText();
  }

  @Test
  void theProgramOfTheDocumentRunsAPodOnItsNode() throws Exception {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    Thread program = run("MyNode", kubeconfig.toString(), folder.resolve("data").toString());
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    program.setUncaughtExceptionHandler((thread, thrown) -> failure.complete(thrown));
    program.start();
    get(server.objects().create("pods", Manifests.pod("web", "my-node")));

    await()
        .failFast("the program fails", failure::isDone)
        .untilAsserted(() -> assertThat(phase("web")).isEqualTo("Running"));
    get(server.objects().delete("pods", "default", "web"));
    await().until(() -> get(server.objects().find("pods", "default", "web")).isEmpty());

    program.interrupt();
    program.join(Waits.LONG.toMillis());
    assertThat(program.isAlive()).isFalse();
    assertThat(
            get(server.objects().get("leases", "kube-node-lease", "my-node"))
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
