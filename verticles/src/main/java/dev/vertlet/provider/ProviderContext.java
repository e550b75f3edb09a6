package dev.vertlet.provider;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.NodeView;
import dev.vertlet.model.PodRef;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** What vertlet gives a provider. All methods may be called from any thread and never block. */
public interface ProviderContext {
  Vertx vertx();

  Clock clock();

  RandomGenerator random();

  /**
   * The pod's status changed. Reports of one pod are taken in the order they are made; only the
   * newest is kept. What is reported before the node's pods are listed for the first time waits for
   * that; what is reported after {@link PodProvider#release} does not count.
   */
  void report(PodReport report);

  /**
   * The back end turns out to hold a pod that this provider knows nothing of. It is ended with
   * {@link PodProvider#kill} unless it should run, or its node is served by another agent. May be
   * said again as long as it is true.
   */
  default void unclaimed(PodReport pod) {}

  /** Writes a Kubernetes Event, best effort. */
  void event(ObjectEvent event);

  /**
   * The whole pod as JSON, for providers that need more than the view keeps: read from the API
   * server now, or as its manifest has it where the API server does not hold it.
   *
   * @return fails with a {@code KubeException}
   */
  Future<Buffer> fullPod(PodRef pod);

  /**
   * The object of one of this shard's nodes, read from the API server now.
   *
   * @return fails with a {@code KubeException}
   */
  Future<NodeView> node(String name);

  /**
   * Asks the API server to delete a pod, for a back end that must get rid of it: a host is drained,
   * a budget is used up. The deletion comes to the provider like anybody's.
   *
   * @param grace whole seconds; zero removes the object at once
   * @return completes when it was asked for, also when the pod was gone; fails with a {@code
   *     KubeException}
   */
  default Future<Void> askForDeletion(PodRef pod, Duration grace) {
    return Future.failedFuture(
        new ProviderException(
            ProviderException.Kind.UNSUPPORTED, "Unsupported", "there is no API server to ask"));
  }
}
