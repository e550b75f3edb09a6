package dev.vertlet.kubelet.status;

import dev.vertlet.kubelet.container.ContainerKind;
import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.RestartOfAll;
import dev.vertlet.kubelet.container.RestartRules;
import dev.vertlet.kubelet.container.Unlocated;
import dev.vertlet.kubelet.container.WaitReasons;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.Resizing;
import dev.vertlet.model.Utf8;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.provider.container.ContainerRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the container statuses of one pod: init containers in the order of the spec, all others
 * by name, as a kubelet sorts them.
 */
final class ContainerStatuses {
  /** Most bytes of a pod's termination messages (kubelet: MaxPodTerminationMessageLogLength). */
  private static final int MESSAGE_BYTES = 12 * 1024;

  private static final Comparator<ContainerStatusView> BY_NAME =
      Comparator.comparing(ContainerStatusView::name);

  private final PodState pod;
  private final Waiting notStarted;
  private final int messageBytes;

  ContainerStatuses(PodState pod) {
    this.pod = pod;
    this.notStarted = pod.init().length > 0 ? PENDING_INIT : PENDING;
    this.messageBytes = MESSAGE_BYTES / Math.max(1, pod.containers().count());
  }

  private static final Waiting PENDING = new Waiting(WaitReasons.CONTAINER_CREATING, null);
  private static final Waiting PENDING_INIT = new Waiting(WaitReasons.POD_INITIALIZING, null);

  List<ContainerStatusView> of(ContainerSlot[] slots) {
    if (slots.length == 0) {
      return List.of();
    }
    if (slots.length == 1) {
      return List.of(of(slots[0]));
    }
    List<ContainerStatusView> statuses = new ArrayList<>(slots.length);
    for (ContainerSlot slot : slots) {
      statuses.add(of(slot));
    }
    if (slots[0].kind() != ContainerKind.INIT) {
      statuses.sort(BY_NAME);
    }
    return statuses;
  }

  private ContainerStatusView of(ContainerSlot slot) {
    // a kubelet reports a container only after its postStart hook is done
    ContainerRecord record = slot.starting() ? null : slot.current();
    ContainerStateView state = state(slot, record);
    Terminated end = slot.end();
    if (record == null && slot.restartCount() > 0 && !RestartOfAll.removed(slot)) {
      return beforeHook(slot, state);
    }
    return new ContainerStatusView(
        slot.view().mounts(),
        record == null ? slot.view().image() : record.image(),
        record == null ? "" : record.imageId(),
        record == null ? null : record.id(),
        slot.restartCount(),
        ready(slot, state),
        // a kubelet evaluates startup for all but ephemeral containers
        slot.kind() == ContainerKind.EPHEMERAL ? null : slot.started(),
        state,
        end != null && state instanceof Waiting ? whole(end) : last(slot),
        record == null ? Map.of() : slot.view().resources().requests(),
        record == null ? null : resources(slot),
        record == null ? null : record.user());
  }

  /** Returns the status during a postStart hook: a restart shows only after the hook is done. */
  private ContainerStatusView beforeHook(ContainerSlot slot, ContainerStateView state) {
    List<ContainerStatusView> shown =
        slot.kind() == ContainerKind.INIT
            ? pod.status().initContainerStatuses()
            : pod.status().containerStatuses();
    ContainerStatusView former = null;
    for (ContainerStatusView one : shown) {
      former = one.name().equals(slot.name()) ? one : former;
    }
    return new ContainerStatusView(
        slot.view().mounts(),
        former == null ? slot.view().image() : former.image(),
        former == null ? "" : former.imageId(),
        former == null ? null : former.containerId(),
        former == null ? slot.restartCount() : former.restartCount(),
        false,
        false,
        state,
        last(slot),
        former == null ? Map.of() : former.allocatedResources(),
        former == null ? null : former.resources(),
        former == null ? null : former.user());
  }

  /** Returns the container's current resources; without an instance, the granted ones. */
  private ResourcesView resources(ContainerSlot slot) {
    ResourcesView granted = slot.view().resources();
    Resizing resizing = pod.resizing();
    ResourcesView has = resizing == null || !slot.running() ? null : resizing.actual(slot.name());
    return has == null ? granted : has;
  }

  private ContainerStateView state(ContainerSlot slot, @Nullable ContainerRecord record) {
    if (record != null && record.state() instanceof Running running) {
      Instant startedAt = running.startedAt();
      return isWhole(startedAt) ? running : new Running(whole(startedAt));
    }
    Terminated end = slot.end();
    boolean over = pod.ending() || pod.deleting();
    Waiting waiting = slot.waiting();
    if (waiting != null && !over && RestartRules.wantsStart(slot, pod.view().spec())) {
      return waiting;
    }
    boolean swapped = slot.stop().swapping() && !over;
    return end == null ? notStarted : swapped ? PENDING : whole(end);
  }

  private static boolean ready(ContainerSlot slot, ContainerStateView state) {
    if (slot.kind() == ContainerKind.INIT && !slot.sidecar()) {
      return state instanceof Terminated end && end.exitCode() == 0;
    }
    return slot.kind() != ContainerKind.EPHEMERAL && slot.ready();
  }

  private @Nullable Terminated last(ContainerSlot slot) {
    Terminated last = slot.last();
    return last == null ? null : whole(last);
  }

  /** Returns the end with times in whole seconds, as the API keeps them, and its message cut. */
  private Terminated whole(Terminated end) {
    String message = end.message() == null ? null : Utf8.first(end.message(), messageBytes);
    if (Objects.equals(message, end.message())
        && isWhole(end.startedAt())
        && isWhole(end.finishedAt())) {
      return end;
    }
    return new Terminated(
        end.exitCode(),
        end.signal(),
        end.reason(),
        message,
        whole(end.startedAt()),
        whole(end.finishedAt()),
        end.containerId());
  }

  private static boolean isWhole(@Nullable Instant time) {
    return time == null || time.getNano() == 0;
  }

  private static @Nullable Instant whole(@Nullable Instant time) {
    return time == null ? null : time.truncatedTo(ChronoUnit.SECONDS);
  }

  /**
   * Gives every container of a finished pod an end: one whose end was not seen has failed.
   * Containers of a pod that never got past its init containers stay as they are.
   */
  static List<ContainerStatusView> closed(
      List<ContainerStatusView> regular, List<ContainerStatusView> init, PodState pod) {
    if (!everInitialized(regular, init, pod)) {
      return regular;
    }
    return close(regular, regular.size());
  }

  /** Gives an end to all init containers up to the last one that has started. */
  static List<ContainerStatusView> closedInit(List<ContainerStatusView> init) {
    if (init.isEmpty()) {
      return init;
    }
    int began = 0;
    for (int i = 0; i < init.size(); i++) {
      ContainerStatusView status = init.get(i);
      if (!(status.state() instanceof Waiting) || status.lastState() instanceof Terminated) {
        began = i + 1;
      }
    }
    return close(init, Math.min(init.size(), Math.max(1, began)));
  }

  private static List<ContainerStatusView> close(List<ContainerStatusView> statuses, int count) {
    List<ContainerStatusView> closed = new ArrayList<>(statuses);
    for (int i = 0; i < count; i++) {
      ContainerStatusView s = closed.get(i);
      if (!(s.state() instanceof Terminated)) {
        closed.set(
            i,
            new ContainerStatusView(
                s.mounts(),
                s.image(),
                s.imageId(),
                s.containerId(),
                s.restartCount(),
                false,
                s.started(),
                Unlocated.STATE,
                s.lastState(),
                s.allocatedResources(),
                s.resources(),
                s.user()));
      }
    }
    return closed;
  }

  private static boolean everInitialized(
      List<ContainerStatusView> regular, List<ContainerStatusView> init, PodState pod) {
    if (init.isEmpty()) {
      return true;
    }
    for (ContainerStatusView status : regular) {
      if (!(status.state() instanceof Waiting) || status.lastState() instanceof Terminated) {
        return true;
      }
    }
    ContainerSlot lastInit = pod.init()[pod.init().length - 1];
    return lastInit.sidecar() ? lastInit.started() : lastInit.completed();
  }
}
