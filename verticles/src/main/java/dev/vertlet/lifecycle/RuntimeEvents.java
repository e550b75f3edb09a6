package dev.vertlet.lifecycle;

import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.ContainerRuntime.RuntimeListener;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the runtime's events, from whatever thread, to the loop, and to their pod or node. */
final class RuntimeEvents implements RuntimeListener {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeEvents.class);

  private final CoreLoop loop;
  private final PodDriver driver;
  private final Map<String, PodState> pods;
  private final Consumer<String> nodeChanged;
  private final AtomicBoolean told = new AtomicBoolean();

  /**
   * @param nodeChanged told on the loop of a node that has something else now
   */
  RuntimeEvents(
      CoreLoop loop, PodDriver driver, Map<String, PodState> pods, Consumer<String> nodeChanged) {
    this.loop = loop;
    this.driver = driver;
    this.pods = pods;
    this.nodeChanged = nodeChanged;
  }

  @Override
  public void containerChanged(@Nullable PodRef ref, @Nullable ContainerRecord container) {
    if (container == null) {
      senseless("a container that is null");
      return;
    }
    take(
        ref,
        pod -> {
          if (pod.observe(container)) {
            driver.drive(pod);
          }
        });
  }

  @Override
  public void sandboxLost(@Nullable PodRef ref) {
    take(
        ref,
        pod -> {
          if (pod.sandbox != null) {
            driver.sandboxLost(pod);
          }
        });
  }

  @Override
  public void nodeChanged(String node) {
    loop.run(() -> nodeChanged.accept(node));
  }

  private void take(@Nullable PodRef ref, Consumer<PodState> event) {
    if (ref == null) {
      senseless("a pod that is null");
      return;
    }
    loop.run(
        () -> {
          PodState pod = pods.get(ref.uid());
          if (pod != null && pod.life != PodState.Life.FINISHED) {
            event.accept(pod);
          }
        });
  }

  /** Once: a runtime that does so does so again and again. */
  private void senseless(String what) {
    if (!told.getAndSet(true)) {
      LOG.warn("the runtime told of {}; that is ignored, and not said again", what);
    }
  }
}
