package dev.vertlet.lifecycle.podworker;

import dev.vertlet.model.ContainerStateView.Terminated;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.ContainerRuntime;
import dev.vertlet.provider.ProviderCall;
import dev.vertlet.provider.RuntimePod;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the runtime remove ended instances of containers: one is kept of each container, the newest,
 * for its state and its log (the kubelet's MaxPerPodContainer 1, MinAge 0, MaxContainers -1). Goes
 * by what the runtime lists and remembers nothing, so what was left by an agent that is gone, or
 * could not be removed, is found the next time. On the core's loop.
 */
final class DeadContainers {
  private static final Logger LOG = LoggerFactory.getLogger(DeadContainers.class);

  private final ContainerRuntime runtime;

  DeadContainers(ContainerRuntime runtime) {
    this.runtime = runtime;
  }

  /**
   * Removes what is too much of one pod; a removal that hangs or fails holds up nothing.
   *
   * @param containers how many the pod has: with an instance of each there is nothing to look for
   */
  void collect(RuntimePod listed, int containers) {
    if (listed.containers().size() > containers) {
      surplus(listed.containers()).forEach(dead -> remove(listed, dead));
    }
  }

  /** Those that have ended, and before another one of their container that has ended too. */
  static List<ContainerRecord> surplus(List<ContainerRecord> all) {
    List<ContainerRecord> surplus = new ArrayList<>();
    for (ContainerRecord record : all) {
      if (ended(record) && outlived(record, all)) {
        surplus.add(record);
      }
    }
    return surplus;
  }

  private static boolean outlived(ContainerRecord dead, List<ContainerRecord> all) {
    for (ContainerRecord other : all) {
      if (other.attempt() > dead.attempt() && other.name().equals(dead.name()) && ended(other)) {
        return true;
      }
    }
    return false;
  }

  private static boolean ended(ContainerRecord record) {
    return record.state() instanceof Terminated;
  }

  private void remove(RuntimePod listed, ContainerRecord dead) {
    ProviderCall.ask(() -> runtime.removeContainer(listed.pod(), dead.id()))
        .onFailure(
            e ->
                LOG.atDebug()
                    .addKeyValue("podUid", listed.pod().uid())
                    .addKeyValue("container", dead.name())
                    .addKeyValue("error", e.getMessage())
                    .log("an ended container was not removed"));
  }
}
