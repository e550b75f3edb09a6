package dev.vertlet.lifecycle;

import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.ContainerRuntime.RuntimeListener;
import java.util.Map;
import java.util.function.Consumer;

/** Brings the runtime's events, from whatever thread, to the loop, and to their pod or node. */
final class RuntimeEvents implements RuntimeListener {
  private final CoreLoop loop;
  private final PodDriver driver;
  private final Map<String, PodState> pods;
  private final Consumer<String> nodeChanged;

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
  public void containerChanged(PodRef ref, ContainerRecord container) {
    take(
        ref,
        pod -> {
          if (pod.observe(container)) {
            driver.drive(pod);
          }
        });
  }

  @Override
  public void sandboxLost(PodRef ref) {
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

  private void take(PodRef ref, Consumer<PodState> event) {
    loop.run(
        () -> {
          PodState pod = pods.get(ref.uid());
          if (pod != null && pod.life != PodState.Life.FINISHED) {
            event.accept(pod);
          }
        });
  }
}
