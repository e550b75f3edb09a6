package dev.vertlet.kubelet;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.testing.EmptyContext;
import dev.vertlet.testing.Pods;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class KubeletCoreVerticleTest {
  @Test
  void staysOnTheContextItWasStartedOnWhereverTheRuntimeAnswers(Vertx vertx) throws Exception {
    Shard shard = new Shard(new ElsewhereRuntime(vertx));
    get(vertx.deployVerticle(shard));
    PodView pod = Pods.pod().never().build();
    get(shard.call(() -> shard.core.create(pod)));
    eventually(() -> assertThat(shard.newest().status().phase()).isEqualTo(PodPhase.RUNNING));

    shard.runtime.exitFromElsewhere(pod.ref());
    eventually(() -> assertThat(shard.newest().finished()).isTrue());
    assertThat(shard.newest().status().phase()).isEqualTo(PodPhase.SUCCEEDED);
    assertThat(shard.strangers).isEmpty();
    assertThat(get(shard.call(() -> shard.core.list()))).hasSize(1);
  }

  @Test
  void timersFireOnTheContextToo(Vertx vertx) throws Exception {
    Shard shard = new Shard(new ElsewhereRuntime(vertx));
    get(vertx.deployVerticle(shard));
    PodView pod = Pods.pod().deadline(1).build();

    get(shard.call(() -> shard.core.create(pod)));
    eventually(() -> assertThat(shard.newest().status().reason()).isEqualTo("DeadlineExceeded"));
    assertThat(shard.strangers).isEmpty();
    get(vertx.undeploy(shard.deploymentID()));
  }

  /** Starts a core on its own context and notes every word that reaches it from elsewhere. */
  private static final class Shard extends VerticleBase implements EmptyContext {
    private final List<PodReport> reports = new CopyOnWriteArrayList<>();
    private final List<String> strangers = new CopyOnWriteArrayList<>();
    private final ElsewhereRuntime runtime;
    private final KubeletCore core;

    Shard(ElsewhereRuntime runtime) {
      this.runtime = runtime;
      this.core =
          new KubeletCore(runtime, KubeletOptions.DEFAULTS, new KubeletNodes(node -> List.of()));
    }

    @Override
    public Future<?> start() {
      return core.start(this);
    }

    @Override
    public Future<?> stop() {
      return core.stop();
    }

    <T> Future<T> call(Supplier<Future<T>> work) {
      Promise<T> done = Promise.promise();
      context.runOnContext(v -> work.get().onComplete(done));
      return done.future();
    }

    PodReport newest() {
      assertThat(reports).isNotEmpty();
      return reports.get(reports.size() - 1);
    }

    @Override
    public Vertx vertx() {
      return vertx;
    }

    @Override
    public void report(PodReport report) {
      reports.add(report);
      noteStranger("report");
    }

    @Override
    public void event(ObjectEvent event) {
      noteStranger(event.reason());
    }

    private void noteStranger(String what) {
      if (Vertx.currentContext() != context) {
        strangers.add(what);
      }
    }

    @Override
    public Future<NodeView> node(String name) {
      return Future.succeededFuture(new Nodes(name).build());
    }
  }

  /** Answers and speaks on a context of its own. */
  private static final class ElsewhereRuntime implements ContainerRuntime {
    private final FakeRuntime runtime = new FakeRuntime(new FakeLoop());
    private final Context other;

    ElsewhereRuntime(Vertx vertx) {
      other = vertx.getOrCreateContext();
    }

    private <T> Future<T> elsewhere(Supplier<Future<T>> work) {
      Promise<T> done = Promise.promise();
      other.runOnContext(v -> work.get().onComplete(done));
      return done.future();
    }

    void exitFromElsewhere(PodRef pod) {
      other.runOnContext(v -> runtime.exit(pod, "c", 0));
    }

    @Override
    public Future<Void> start(RuntimeListener listener) {
      return elsewhere(() -> runtime.start(listener));
    }

    @Override
    public Future<SandboxRecord> runSandbox(PodView pod, int attempt) {
      return elsewhere(() -> runtime.runSandbox(pod, attempt));
    }

    @Override
    public Future<Void> removeSandbox(PodRef pod) {
      return elsewhere(() -> runtime.removeSandbox(pod));
    }

    @Override
    public Future<Optional<String>> imageId(String node, String image) {
      return elsewhere(() -> runtime.imageId(node, image));
    }

    @Override
    public Future<String> pull(PodView pod, ContainerView container) {
      return elsewhere(() -> runtime.pull(pod, container));
    }

    @Override
    public Future<ContainerRecord> startContainer(
        PodView pod, ContainerView container, int attempt, String imageId) {
      return elsewhere(() -> runtime.startContainer(pod, container, attempt, imageId));
    }

    @Override
    public Future<Void> stopContainer(PodRef pod, String containerId, Duration grace) {
      return elsewhere(() -> runtime.stopContainer(pod, containerId, grace));
    }

    @Override
    public Future<List<RuntimePod>> list() {
      return elsewhere(runtime::list);
    }

    @Override
    public Future<Optional<RuntimePod>> restore(PodView pod) {
      return elsewhere(() -> runtime.restore(pod));
    }

    @Override
    public Future<Void> status() {
      return Future.succeededFuture();
    }
  }
}
