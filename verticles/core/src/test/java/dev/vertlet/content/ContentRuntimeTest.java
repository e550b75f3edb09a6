package dev.vertlet.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.content.file.ContentOptions;
import dev.vertlet.content.file.FileTasks;
import dev.vertlet.content.file.MemoryVolumes;
import dev.vertlet.env.DnsSettings;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.testing.EmptyContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Order of a runtime's reports while messages are read. */
class ContentRuntimeTest {
  private static final PodRef POD = new PodRef("ns", "p", "uid-p");

  @TempDir private Path dir;
  private final FakeLoop loop = new FakeLoop();
  private final Promise<Void> reading = Promise.promise();
  private final List<String> reports = new ArrayList<>();
  private @Nullable RuntimeListener told;

  private ContainerRuntime runtime() {
    return (ContainerRuntime)
        Proxy.newProxyInstance(
            ContainerRuntime.class.getClassLoader(),
            new Class<?>[] {ContainerRuntime.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "input" -> PodInput.FILES;
                  case "usesEnvironment" -> true;
                  case "start" -> started((RuntimeListener) arguments[0]);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private Future<Void> started(RuntimeListener listener) {
    told = listener;
    return Future.succeededFuture();
  }

  private void start() {
    VolumeManager contents =
        new VolumeManager(
            PodInput.FILES,
            new ContentOptions(dir, List.of(), dir, MemoryVolumes.NONE),
            null,
            node -> Map.of(),
            node -> DnsSettings.DEFAULTS);
    contents.start(
        new EmptyContext() {},
        loop,
        new FileTasks.Workers() {
          @Override
          public <T> Future<T> run(Callable<T> task) {
            return reading.future().map(done -> call(task));
          }
        },
        (pod, news) -> Future.succeededFuture());
    new ContentRuntime(runtime(), contents)
        .start(
            new RuntimeListener() {
              @Override
              public void containerChanged(PodRef pod, ContainerRecord container) {
                reports.add("ended");
              }

              @Override
              public void sandboxLost(PodRef pod) {
                reports.add("lost");
              }
            });
  }

  private static <T> T call(Callable<T> task) {
    try {
      return task.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theLossOfASandboxFollowsTheEndsOfItsContainers() {
    start();
    RuntimeListener listener = Objects.requireNonNull(told);
    Terminated end = new Terminated(0, 0, "Completed", null, null, null, "id");

    listener.containerChanged(
        POD, new ContainerRecord("id", "main", 0, "image", "image", end, null, null));
    listener.sandboxLost(POD);
    assertThat(reports).isEmpty();
    reading.complete();
    loop.settle();

    assertThat(reports).containsExactly("ended", "lost");
  }
}
