package dev.vertlet.kubelet.podworker;

import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.RuntimePod;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the runtime remove ended instances of containers: of each container's ended instances only
 * the newest stays, for its state and its log (the kubelet's MaxPerPodContainer 1, MinAge 0,
 * MaxContainers -1). Uses only the runtime's list and remembers nothing, so the next call finds
 * what an earlier agent left or what could not be removed. Runs on the core's loop.
 */
final class DeadContainers {
  private static final Logger LOG = LoggerFactory.getLogger(DeadContainers.class);

  private final ContainerRuntime runtime;
  private final CoreMeters meters;

  DeadContainers(CoreEnv env) {
    this.runtime = env.runtime();
    this.meters = env.meters();
  }

  /**
   * Removes the surplus instances of one pod; a removal that hangs or fails delays nothing.
   *
   * @param containers number of the pod's containers: a list with one instance of each has no
   *     surplus
   */
  void collect(RuntimePod listed, int containers) {
    if (listed.containers().size() > containers) {
      surplus(listed.containers()).forEach(dead -> remove(listed, dead));
    }
  }

  /** Returns the ended instances that are older than another ended one of their container. */
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
    meters
        .measure(
            RuntimeOperation.REMOVE_CONTAINER,
            () -> runtime.removeContainer(listed.pod(), dead.id()))
        .onFailure(
            e ->
                LOG.atDebug()
                    .addKeyValue("podUid", listed.pod().uid())
                    .addKeyValue("container", dead.name())
                    .addKeyValue("error", e.getMessage())
                    .log("ended container not removed"));
  }
}
