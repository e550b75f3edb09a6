package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Waits;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of docs/embedding.md, as they stand there, on a real API server. */
@ClusterTest
class EmbeddingIT {
  private static final Path DOCUMENT = Path.of("..", "..", "docs", "embedding.md");
  private static final Pattern JAVA =
      Pattern.compile("(?s)```java\\n(.*?public class (\\w+).*?)```");

  @TempDir private Path folder;

  @Test
  void theShortProgramRunsAPodOnItsNode(TestCluster cluster) throws Exception {
    runAPod(cluster, "MyNode");

    cluster.shows("ProviderCreateSuccess", "get", "events");
  }

  @Test
  void theLongProgramTakesItsEventsItself(TestCluster cluster) throws Exception {
    runAPod(cluster, "MyAgent");

    assertThat(cluster.kubectl("get", "events")).doesNotContain("ProviderCreateSuccess");
  }

  private void runAPod(TestCluster cluster, String mainClass) throws Exception {
    Thread program =
        program(mainClass, cluster.agentKubeconfig().toString(), folder.resolve("data").toString());
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    program.setUncaughtExceptionHandler((thread, thrown) -> failure.complete(thrown));
    program.start();
    cluster.create("web", "my-node");
    eventually(
        () -> {
          assertThat(failure).as("failure of the program").isNotDone();
          assertThat(cluster.field("pod", "web", "{.status.phase}")).isEqualTo("Running");
        });
    cluster.kubectl("delete", "pod", "web", KubectlRuns.LIMIT);

    program.interrupt();
    program.join(Waits.LONG.toMillis());
    assertThat(program.isAlive()).isFalse();
    assertThat(cluster.lease("my-node").getSpec().getHolderIdentity())
        .as("holder of the lease that was released")
        .isNullOrEmpty();
  }

  /** A program of the document on a thread of its own, not yet started. */
  private Thread program(String mainClass, String... arguments) throws Exception {
    Path source = Files.createDirectories(folder.resolve("source"));
    Matcher block = JAVA.matcher(Files.readString(DOCUMENT));
    while (block.find()) {
      Files.writeString(source.resolve(block.group(2) + ".java"), block.group(1));
    }
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
