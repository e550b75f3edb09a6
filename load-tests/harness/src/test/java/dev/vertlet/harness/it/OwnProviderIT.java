package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.agent.Vertlet;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.PodStatuses;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A provider of whole pods that has some nobody asked for, on a real API server. */
@ClusterTest
class OwnProviderIT {
  private static final String NODE = "whole0";

  @TempDir private Path folder;

  /** By UID: what the agent's loop and the test both change. */
  private final Map<String, PodReport> held = new ConcurrentHashMap<>();

  /** Reports what it does, and says nothing about what it holds besides. */
  private final class Pods implements PodProvider {
    @SuppressWarnings("NullAway.Init") // set by start
    private ProviderContext context;

    @Override
    public Future<Void> start(ProviderContext given) {
      context = given;
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> create(PodView pod) {
      PodReport report = running(pod);
      held.put(pod.uid(), report);
      context.report(report);
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> update(PodView pod) {
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> delete(PodView pod, Duration grace) {
      PodReport end = running(pod);
      held.remove(pod.uid());
      context.report(
          new PodReport(
              pod.ref(),
              pod.nodeName(),
              PodStatuses.ended(end.status(), 0, "Completed", null, Instant.now()),
              true));
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> kill(PodRef pod) {
      held.remove(pod.uid());
      return Future.succeededFuture();
    }

    @Override
    public Future<Optional<PodReport>> get(PodRef pod) {
      return Future.succeededFuture(Optional.ofNullable(held.get(pod.uid())));
    }

    @Override
    public Future<List<PodReport>> list() {
      return Future.succeededFuture(List.copyOf(held.values()));
    }
  }

  private static PodReport running(PodView pod) {
    return new PodReport(
        pod.ref(),
        pod.nodeName(),
        PodStatuses.running(pod, "192.0.2.1", List.of("192.0.2.2"), Instant.EPOCH),
        false);
  }

  /** docs/providers.md: what {@code list} has and the API server does not is killed. */
  @Test
  void aPodThatTurnsUpWhileItsNodeIsServedIsEnded(TestCluster cluster) throws Exception {
    JsonObject config =
        new JsonObject()
            .put(
                "nodes",
                new JsonArray().add(new JsonObject().put("name", NODE).put("provider", "own")))
            .put("kubernetes", new JsonObject().put("kubeconfig", cluster.kubeconfig().toString()))
            .put("agent", new JsonObject().put("dataDir", folder.resolve("data").toString()))
            .put("server", new JsonObject().put("port", 0).put("enableServer", false));
    cluster.closeAfterTest(
        Vertlet.start(
            config.encode(), ProviderFactory.of("own", setup -> new Backend.Pods(new Pods()))));
    cluster.create("wanted", NODE);
    cluster.kubectl("wait", "--for=condition=Ready", "pod/wanted", KubectlRuns.LIMIT);
    PodReport wanted = held.values().iterator().next();
    String late = "0c5a1f5e-late";

    held.put(
        late, new PodReport(new PodRef("default", "late", late), NODE, wanted.status(), false));

    eventually(() -> assertThat(held).containsOnlyKeys(wanted.pod().uid()));
    assertThat(cluster.kubectl("get", "pod", "wanted", "-o", "jsonpath={.status.phase}"))
        .isEqualTo("Running");
  }
}
