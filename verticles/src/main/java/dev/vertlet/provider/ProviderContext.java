package dev.vertlet.provider;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.NodeView;
import dev.vertlet.model.PodRef;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.util.random.RandomGenerator;

/** What vertlet gives a provider. All methods may be called from any thread and never block. */
public interface ProviderContext {
  Vertx vertx();

  Clock clock();

  RandomGenerator random();

  /**
   * The pod's status changed. Reports of one pod are taken in the order they are made; only the
   * newest is kept.
   */
  void report(PodReport report);

  /** Writes a Kubernetes Event, best effort. */
  void event(ObjectEvent event);

  /**
   * The whole pod as JSON, read from the API server now, for providers that need more than the view
   * keeps.
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
}
