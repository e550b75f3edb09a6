package dev.vertlet.stages.cluster;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Leaves pods, and the status of their nodes, to the stages. */
final class StagedPods implements PodProvider {
  private static final NodeProvider NODES =
      new NodeProvider() {
        @Override
        public Future<Void> ping(String node) {
          return Future.succeededFuture();
        }

        @Override
        public NodeHealth health(String node) {
          return NodeHealth.HEALTHY;
        }

        @Override
        public void onChange(Consumer<String> listener) {}

        @Override
        public boolean leavesStatus() {
          return true;
        }
      };

  @Override
  public Future<Void> start(ProviderContext context) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> create(PodView pod) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> update(PodView pod) {
    return Future.succeededFuture();
  }

  /** A stage deletes the object. */
  @Override
  public Future<Void> delete(PodView pod, Duration grace) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> kill(PodRef pod) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Optional<PodReport>> get(PodRef pod) {
    return Future.succeededFuture(Optional.empty());
  }

  @Override
  public Future<List<PodReport>> list() {
    return Future.succeededFuture(List.of());
  }

  @Override
  public boolean writesEvents() {
    return true;
  }

  /** There are no pods but those that it is asked to run. */
  @Override
  public boolean tellsUnclaimed() {
    return true;
  }

  @Override
  public NodeProvider nodes() {
    return NODES;
  }
}
