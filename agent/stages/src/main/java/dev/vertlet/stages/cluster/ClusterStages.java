package dev.vertlet.stages.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.watch.Reflector;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.model.JsonTreeDecoder;
import dev.vertlet.stages.play.StageCompiler;
import dev.vertlet.stages.play.StageObject;
import dev.vertlet.stages.spec.Stage;
import dev.vertlet.stages.spec.StageException;
import dev.vertlet.stages.spec.StageFiles;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the Stage objects of the cluster. One that cannot be used is logged and left out; the
 * others are played.
 */
final class ClusterStages implements ReflectorListener<StageObject> {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterStages.class);

  /** Changes within this time are used together. */
  private static final long SETTLE_MILLIS = 200;

  private static final KubePath PATH =
      new KubePath("/apis/kwok.x-k8s.io/v1alpha1/stages", "stages", "kwok.x-k8s.io");

  private final Vertx vertx;
  private final StageCompiler compiler;
  private final Consumer<Collection<Stage>> changed;
  private final Reflector<StageObject> reflector;
  private final Map<String, Stage> stages = new TreeMap<>();
  private boolean synced;
  private boolean pending;

  /**
   * @param changed called with all usable stages after each change, and once after the first list
   */
  ClusterStages(
      Vertx vertx,
      KubeClient kube,
      RandomGenerator random,
      StageCompiler compiler,
      Consumer<Collection<Stage>> changed) {
    this.vertx = vertx;
    this.compiler = compiler;
    this.changed = changed;
    this.reflector =
        new Reflector<>(
            kube,
            ListWatch.of("stages", PATH, new JsonTreeDecoder<>(StageObject::of)),
            this,
            Reflector.DEFAULT_BACKOFF,
            random);
  }

  void start() {
    var unused = reflector.start();
  }

  Future<Void> stop() {
    return reflector.stop();
  }

  @Override
  public void upserted(StageObject object) {
    stages.remove(object.name());
    try {
      Stage stage = StageFiles.object(object.name(), object.json().toString().getBytes(UTF_8));
      compiler.compile(List.of(stage));
      stages.put(object.name(), stage);
    } catch (StageException e) {
      e.problems().forEach(problem -> LOG.error("{}", problem));
    }
    settle();
  }

  @Override
  public void deleted(Tombstone object) {
    stages.remove(object.name());
    settle();
  }

  @Override
  public void synced() {
    synced = true;
    changed.accept(List.copyOf(stages.values()));
  }

  private void settle() {
    if (synced && !pending) {
      pending = true;
      vertx.setTimer(
          SETTLE_MILLIS,
          id -> {
            pending = false;
            changed.accept(List.copyOf(stages.values()));
          });
    }
  }
}
