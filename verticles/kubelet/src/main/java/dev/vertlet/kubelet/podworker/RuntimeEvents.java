package dev.vertlet.kubelet.podworker;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.PodStates;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the runtime's events, from any thread, to the loop and to their pod or node. Ignores an
 * event that lacks its pod, container or node, and logs the first of them.
 */
public final class RuntimeEvents implements RuntimeListener {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeEvents.class);

  private final CoreLoop loop;
  private final PodDriver driver;
  private final PodStates pods;
  private final Consumer<String> nodeChanged;
  private final Consumer<ObjectEvent> sink;

  /** Whether an incomplete event was logged; used on the loop only. */
  private boolean logged;

  /**
   * @param nodeChanged takes the name of a changed node, on the loop
   * @param sink takes events about nodes, on the loop
   */
  public RuntimeEvents(
      CoreLoop loop,
      PodDriver driver,
      PodStates pods,
      Consumer<String> nodeChanged,
      Consumer<ObjectEvent> sink) {
    this.loop = loop;
    this.driver = driver;
    this.pods = pods;
    this.nodeChanged = nodeChanged;
    this.sink = sink;
  }

  @Override
  public void containerChanged(PodRef ref, ContainerRecord container) {
    take(
        ref,
        container != null,
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
        true,
        pod -> {
          if (pod.sandbox().exists()) {
            driver.sandboxLost(pod);
          }
        });
  }

  @Override
  public void nodeChanged(String node) {
    loop.run(
        () -> {
          if (isWhole(node != null)) {
            nodeChanged.accept(node);
          }
        });
  }

  @Override
  public void systemOutOfMemory(String node, String process, int pid) {
    loop.run(
        () -> {
          if (isWhole(node != null && process != null)) {
            String victim =
                process.isEmpty() || pid == 0
                    ? ""
                    : ", victim process: " + process + ", pid: " + pid;
            sink.accept(
                new ObjectEvent(
                    "Node",
                    "",
                    node,
                    node,
                    "",
                    ObjectEvent.WARNING,
                    "SystemOOM",
                    "System OOM encountered" + victim,
                    node));
          }
        });
  }

  private void take(PodRef ref, boolean whole, Consumer<PodState> event) {
    loop.run(
        () -> {
          if (!isWhole(whole && ref != null && ref.uid() != null)) {
            return;
          }
          PodState pod = pods.get(ref.uid());
          if (pod != null && !pod.finished()) {
            event.accept(pod);
          }
        });
  }

  private boolean isWhole(boolean whole) {
    if (!whole && !logged) {
      logged = true;
      LOG.warn("the runtime sends events without a pod, container or node; they are ignored");
    }
    return whole;
  }
}
