package dev.vertlet.testing;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A cluster with nothing in it, as a provider sees it. A test overrides what its provider uses. */
public interface EmptyContext extends ProviderContext {
  @Override
  default Vertx vertx() {
    throw new IllegalStateException("no Vert.x in this test");
  }

  @Override
  default Clock clock() {
    return Clock.systemUTC();
  }

  @Override
  default RandomGenerator random() {
    return new SplittableRandom(1);
  }

  @Override
  default void report(PodReport report) {}

  @Override
  default void event(ObjectEvent event) {}

  @Override
  default Future<Buffer> fullPod(PodRef pod) {
    return Future.failedFuture("not in this test");
  }

  @Override
  default Future<NodeView> node(String name) {
    return Future.failedFuture("not in this test");
  }
}
