package dev.vertlet.kubelet.podworker;

import dev.vertlet.kubelet.container.BackOffRange;
import dev.vertlet.kubelet.container.ContainerKind;
import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.RestartOfAll;
import dev.vertlet.kubelet.container.RestartRules;
import dev.vertlet.kubelet.container.SlotBackOff;
import dev.vertlet.kubelet.container.WaitReasons;
import dev.vertlet.kubelet.image.ImageNames;
import dev.vertlet.kubelet.pod.OwnedStatus;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.Sandbox;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.RuntimePod;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Restores a new pod's state from the runtime and the API server, so that a restart of the agent
 * changes nothing that has not changed in reality.
 */
public final class Adoption {
  private final PodState pod;
  private final @Nullable RuntimePod found;
  private final Instant now;
  private final BackOffRange backOff;
  private final RandomGenerator random;

  /** Whether a container does not have its granted resources yet. */
  private boolean resized;

  private Adoption(
      PodState pod,
      @Nullable RuntimePod found,
      Instant now,
      BackOffRange backOff,
      RandomGenerator random) {
    this.pod = pod;
    this.found = found;
    this.now = now;
    this.backOff = backOff;
    this.random = random;
  }

  /**
   * Adopts the pod.
   *
   * @param found the pod in the runtime, null for none
   * @param backOff pauses between restarts
   * @param random spreads the first probes of running containers
   */
  public static void adopt(
      PodState pod,
      @Nullable RuntimePod found,
      Instant now,
      BackOffRange backOff,
      RandomGenerator random) {
    new Adoption(pod, found, now, backOff, random).adopt();
  }

  /**
   * Restores a pod whose grace ended before the runtime answered: only the API server's status is
   * known, and nothing more will be.
   *
   * @param backOff pauses between restarts
   */
  static void recall(PodState pod, Instant now, BackOffRange backOff, RandomGenerator random) {
    new Adoption(pod, null, now, backOff, random).slots(pod.status());
  }

  private void adopt() {
    PodStatusView api = pod.status();
    if (api.phase().terminal() && found == null) {
      // over and removed before the restart: the API server's status is final
      pod.finish(api);
      return;
    }
    pod.restored();
    slots(api);
    ConditionView restarting = api.condition(OwnedStatus.RESTARTING_ALL);
    if (restarting != null && restarting.status().equals("True")) {
      pod.restartAll();
    }
    if (pod.resizing() != null && resized) {
      pod.resizing().begun(pod.view().generation(), now);
    } else if (pod.resizing() != null && pod.resizing().desired() != null && allRun()) {
      // the resize in progress becomes part of the next one to be granted, and is not completed
      pod.resizing().superseded();
    }
    if (found != null && found.sandbox() != null) {
      pod.sandbox(new Sandbox.Present(found.sandbox(), found.sandbox().attempt()));
    } else if (began(api)) {
      pod.sandboxLost(now);
    }
    if (!pod.endsAsAsked() && api.phase().terminal()) {
      pod.end(now.toEpochMilli());
    }
  }

  private boolean allRun() {
    for (ContainerSlot slot : pod.regular()) {
      if (!slot.running()) {
        return false;
      }
    }
    return true;
  }

  /** Whether the API server's status shows that the pod had a sandbox. */
  private static boolean began(PodStatusView api) {
    for (ContainerStatusView status : api.containerStatuses()) {
      if (status.containerId() != null) {
        return true;
      }
    }
    for (ContainerStatusView status : api.initContainerStatuses()) {
      if (status.containerId() != null) {
        return true;
      }
    }
    return false;
  }

  private void slots(PodStatusView api) {
    slots(pod.init(), api.initContainerStatuses());
    slots(pod.regular(), api.containerStatuses());
    slots(pod.ephemeral(), api.ephemeralContainerStatuses());
  }

  private void slots(ContainerSlot[] slots, List<ContainerStatusView> statuses) {
    for (ContainerSlot slot : slots) {
      ContainerStatusView shown = find(statuses, slot.name());
      if (found != null) {
        observe(slot, found.containers());
      }
      if (shown != null) {
        remember(slot, shown);
      }
      backOff(slot);
    }
  }

  private static void observe(ContainerSlot slot, List<ContainerRecord> records) {
    ContainerRecord newest = null;
    ContainerRecord before = null;
    for (ContainerRecord record : records) {
      if (!record.name().equals(slot.name())) {
        continue;
      }
      if (newest == null || record.attempt() > newest.attempt()) {
        before = newest;
        newest = record;
      } else if (before == null || record.attempt() > before.attempt()) {
        before = record;
      }
    }
    if (before != null && before.state() instanceof Terminated end) {
      slot.restore(slot.current(), end, 0);
    }
    if (newest != null) {
      slot.observe(newest);
    }
  }

  /** Adds what only the API server's status keeps. */
  private void remember(ContainerSlot slot, ContainerStatusView shown) {
    ContainerRecord known = slot.current();
    redefined(slot, shown);
    if (anew(slot, shown)) {
      return;
    }
    if (known == null) {
      lost(slot, shown);
    } else if (known.id().equals(shown.containerId())) {
      sameInstance(slot, shown, known);
    } else if (shown.state() instanceof Terminated end) {
      slot.restore(known, end, 0);
    }
    slot.restore(slot.current(), slot.last(), shown.restartCount());
  }

  /** Restores a container reset by a restart of all; the runtime's instance no longer counts. */
  private static boolean anew(ContainerSlot slot, ContainerStatusView shown) {
    boolean removed =
        shown.state() instanceof Waiting
            && shown.lastState() instanceof Terminated end
            && RestartOfAll.REASON.equals(end.reason())
            && (slot.current() == null || slot.current().attempt() < shown.restartCount());
    if (removed && shown.lastState() instanceof Terminated end) {
      slot.restore(null, end, shown.restartCount());
    }
    return removed;
  }

  private void sameInstance(ContainerSlot slot, ContainerStatusView shown, ContainerRecord known) {
    ResourcesView has = shown.resources();
    if (has != null && known.running() && !has.sameAmounts(slot.view().resources())) {
      // the spec was changed and the change granted while no agent could apply it
      pod.openResize().keeps(slot.name(), has);
      resized = true;
    }
    restoreMessage(slot, shown.state(), known);
    restoreMessage(slot, shown.lastState(), known);
    if (slot.probes() != null) {
      boolean started = Boolean.TRUE.equals(shown.started());
      slot.probes().adopted(started, shown.ready(), now.toEpochMilli(), random);
    }
    if (shown.state() instanceof Waiting waiting && known.state() instanceof Terminated) {
      if (waiting.reason() != null) {
        slot.wait(waiting.reason(), waiting.message());
      }
      swapped(slot, waiting);
    } else if (shown.lastState() instanceof Terminated end) {
      slot.restore(slot.current(), end, 0);
    }
  }

  /** Restores the message of an ended instance, which may have been read from its log. */
  private static void restoreMessage(
      ContainerSlot slot, @Nullable ContainerStateView shown, ContainerRecord known) {
    if (shown instanceof Terminated end
        && known.id().equals(end.containerId())
        && known.state() instanceof Terminated ended
        && ended.message() == null
        && end.message() != null) {
      slot.says(known.id(), end.message());
    }
  }

  /**
   * Restores the old image if the definition changed while no agent ran. A restart of the agent
   * alone replaces nothing: image names are compared only if no status shows that the newest
   * generation was acted upon.
   */
  private void redefined(ContainerSlot slot, ContainerStatusView shown) {
    Long acted = pod.status().observedGeneration();
    if (acted != null && acted >= pod.view().generation()) {
      return;
    }
    ContainerRecord known = slot.current();
    String image = known == null ? shown.image() : known.image();
    String imageId = known == null ? shown.imageId() : known.imageId();
    if (ImageNames.differ(image, imageId, slot.view().image())) {
      slot.restoreImage(image);
    }
  }

  /** Restores a replacement: the old instance was ended, and the new one was not made. */
  private void swapped(ContainerSlot slot, Waiting waiting) {
    Terminated end = slot.end();
    boolean crashed = WaitReasons.CRASH_LOOP_BACK_OFF.equals(waiting.reason());
    if (end == null || crashed || slot.kind() == ContainerKind.EPHEMERAL) {
      return;
    }
    boolean creating = WaitReasons.CONTAINER_CREATING.equals(waiting.reason());
    boolean only = !RestartRules.allowed(pod.view().spec(), slot.view(), end.exitCode());
    if (creating || only || slot.otherImage()) {
      slot.stop(slot.stop().followed(true, true));
    }
  }

  /** Restores a container that only the API server knows. */
  private void lost(ContainerSlot slot, ContainerStatusView shown) {
    ContainerStateView state = shown.state();
    ContainerStateView last = shown.lastState();
    if (state instanceof Waiting waiting) {
      if (last instanceof Terminated end && shown.containerId() != null) {
        slot.restore(record(shown, end), slot.last(), 0);
      }
      String reason = waiting.reason();
      if (reason != null
          && !reason.equals(WaitReasons.CONTAINER_CREATING)
          && !reason.equals(WaitReasons.POD_INITIALIZING)) {
        slot.wait(reason, waiting.message());
      }
      swapped(slot, waiting);
      return;
    }
    if (last instanceof Terminated end) {
      slot.restore(null, end, 0);
    }
    if (state instanceof Running || state instanceof Terminated) {
      slot.restore(record(shown, state), slot.last(), 0);
      slot.vanished(now);
    }
  }

  private static ContainerRecord record(ContainerStatusView shown, ContainerStateView state) {
    String id = shown.containerId();
    return new ContainerRecord(
        id == null ? "" : id,
        shown.name(),
        shown.restartCount(),
        shown.image(),
        shown.imageId(),
        state,
        null,
        null,
        shown.user());
  }

  /** Restores the restart back-off, as far as restart counts and times show it. */
  private void backOff(ContainerSlot slot) {
    if (slot.restartCount() == 0 || slot.current() == null) {
      return;
    }
    Instant startedAt =
        slot.current().state() instanceof Running running
            ? running.startedAt()
            : startOf(slot.end());
    if (startedAt == null) {
      return;
    }
    Terminated before = slot.last();
    boolean steady =
        before != null
            && before.startedAt() != null
            && before.finishedAt() != null
            && before.finishedAt().toEpochMilli() - before.startedAt().toEpochMilli()
                > SlotBackOff.EXPIRY;
    slot.backOffs().restored(steady ? 1 : slot.restartCount(), startedAt.toEpochMilli(), backOff);
  }

  private static @Nullable Instant startOf(@Nullable Terminated end) {
    return end == null ? null : end.startedAt();
  }

  private static @Nullable ContainerStatusView find(
      List<ContainerStatusView> statuses, String name) {
    for (ContainerStatusView status : statuses) {
      if (status.name().equals(name)) {
        return status;
      }
    }
    return null;
  }
}
