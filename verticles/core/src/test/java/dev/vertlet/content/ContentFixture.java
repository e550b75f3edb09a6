package dev.vertlet.content;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.content.file.ContentOptions;
import dev.vertlet.content.file.FileTasks;
import dev.vertlet.content.file.MemoryVolumes;
import dev.vertlet.env.DnsSettings;
import dev.vertlet.env.FakeReferences;
import dev.vertlet.env.VolumePreparer.Outcome;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.pod.ServiceAccountToken;
import dev.vertlet.provider.pod.TokenRequest;
import dev.vertlet.testing.EmptyContext;
import dev.vertlet.testing.EnvPods;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** Contents of one pod, with a loop and a clock that the test moves. */
abstract class ContentFixture {
  static final ReferredKey MAP = new ReferredKey(ReferredKind.CONFIG_MAP, "ns", "m");
  static final String MAP_VOLUME = "{\"name\": \"v\", \"configMap\": {\"name\": \"m\"}}";
  static final String TOKEN_VOLUME =
      "{\"name\": \"t\", \"projected\": {\"sources\": [{\"serviceAccountToken\":"
          + " {\"expirationSeconds\": 600, \"path\": \"token\"}}]}}";

  @TempDir Path dir;
  final FakeLoop loop = new FakeLoop();
  final FakeReferences references = new FakeReferences();
  final Cluster cluster = new Cluster();
  final List<List<VolumeContent>> delivered = new ArrayList<>();
  final PodView pod = Pods.pod("p").ref(new PodRef("ns", "p", "uid-p")).build();
  int progress;

  /** Completes when file tasks may run; null if they may. */
  @Nullable Promise<Void> held;

  /** Whether the back end refuses new versions. */
  boolean refused;

  /** Whether file tasks fail. */
  boolean full;

  /** What the agent has of the API server. */
  final class Cluster implements EmptyContext {
    String volumes = "";
    final List<ObjectEvent> events = new ArrayList<>();
    final List<TokenRequest> tokens = new ArrayList<>();
    @Nullable Throwable refusal;
    int reads;
    @Nullable Promise<Buffer> pending;

    @Override
    public Clock clock() {
      return loop;
    }

    @Override
    public void event(ObjectEvent event) {
      events.add(event);
    }

    @Override
    public Future<Buffer> fullPod(PodRef ref) {
      reads++;
      Promise<Buffer> hanging = pending;
      return hanging == null ? Future.succeededFuture(json()) : hanging.future();
    }

    Buffer json() {
      return Buffer.buffer(
          "{\"spec\": {\"volumes\": [%s], \"containers\": [{\"name\": \"c\"}]}}"
              .formatted(volumes));
    }

    @Override
    public Future<ServiceAccountToken> requestToken(TokenRequest request) {
      tokens.add(request);
      Throwable failure = refusal;
      Instant until = loop.instant().plusSeconds(request.expirationSeconds());
      return failure == null
          ? Future.succeededFuture(
              new ServiceAccountToken("token" + tokens.size(), until, request.expirationSeconds()))
          : Future.failedFuture(failure);
    }

    List<String> messages() {
      return events.stream().map(ObjectEvent::message).toList();
    }
  }

  VolumeManager start(PodInput input) {
    VolumeManager contents =
        new VolumeManager(
            input,
            new ContentOptions(dir, List.of(), Path.of("/etc/hosts"), MemoryVolumes.NONE),
            references,
            node -> Map.of("memory", "1Gi"),
            node -> DnsSettings.DEFAULTS);
    contents.start(
        cluster,
        loop,
        new FileTasks.Workers() {
          @Override
          public <T> Future<T> run(Callable<T> task) {
            Promise<Void> waits = held;
            return waits == null ? call(task) : waits.future().compose(done -> call(task));
          }
        },
        (ref, news) -> {
          delivered.add(news);
          return refused ? Future.failedFuture("refused") : Future.succeededFuture();
        });
    return contents;
  }

  private <T> Future<T> call(Callable<T> task) {
    if (full) {
      return Future.failedFuture(new IOException("No space left on device"));
    }
    try {
      return Future.succeededFuture(task.call());
    } catch (Exception e) {
      return Future.failedFuture(e);
    }
  }

  Outcome prepare(VolumeManager contents) {
    return contents.prepare(pod, () -> progress++);
  }

  void tellMap(String value) {
    references.tell(MAP, EnvPods.data("m", Map.of("k", value)));
    loop.settle();
  }
}
