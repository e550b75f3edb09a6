package dev.vertlet.kubelet.resize;

import dev.vertlet.admission.Rejection;
import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.kubelet.pod.PodEvents;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.Resizing;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.resource.Allocation;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.provider.container.ContainerRuntime;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the pods that ask for other resources than their nodes have granted, and grants what fits.
 * Runs on the core's loop.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/allocation/allocation_manager.go">
 *     allocation_manager.go, kubelet 1.36.3</a>
 */
public final class ResizeQueue {
  /** Period of retries while nothing else triggers one (kubelet's retryDelay), milliseconds. */
  private static final long RETRY = 180_000;

  /**
   * Time after an agent's start in which it sees its pods (kubelet's initialRetryDelay),
   * milliseconds.
   */
  public static final long SETTLED = 30_000;

  private static final String UPDATED = "pod_updated";
  private static final String ADDED = "pods_added";
  private static final String FREED = "pods_removed";
  private static final String PERIODIC = "periodic_retry";

  private static final String UNSUPPORTED =
      "The container runtime does not resize running containers";

  private final ContainerRuntime runtime;
  private final CoreLoop loop;
  private final Clock clock;
  private final PodEvents events;
  private final CoreMeters meters;
  private final ResizeRoom room;
  private final Consumer<PodState> drive;
  private final Map<String, Set<PodState>> waiting = new HashMap<>();
  private long timer = -1;
  private boolean closed;

  /**
   * @param drive drives a pod whose resize has changed
   */
  public ResizeQueue(CoreEnv env, ResizeRoom room, Consumer<PodState> drive) {
    this.runtime = env.runtime();
    this.loop = env.loop();
    this.clock = env.clock();
    this.events = env.events();
    this.meters = env.meters();
    this.room = room;
    this.drive = drive;
  }

  /**
   * Returns the new definition of a pod with the resources that it had: its node has to grant more
   * first.
   *
   * @return {@code view} itself if it asks for no others
   */
  public static PodView granted(PodState pod, PodView view) {
    return Allocation.of(
        view,
        name -> {
          ContainerView known = pod.view().spec().container(name);
          return known == null ? null : known.resources();
        });
  }

  /** Returns the pod as the API server has it, granted or not. */
  public static PodView desired(PodState pod) {
    Resizing resizing = pod.resizing();
    PodView asked = resizing == null ? null : resizing.desired();
    return asked == null ? pod.view() : asked;
  }

  /**
   * Takes a new definition of the pod.
   *
   * @param before what the pod asked for until now
   * @param wanted the pod as the API server has it
   */
  public void changed(PodState pod, PodView before, PodView wanted) {
    if (pod.ending() || pod.finished()) {
      return;
    }
    ResizeCount.tell(meters, before, wanted);
    Resizing resizing = pod.resizing();
    if (pod.view() != wanted) {
      pod.openResize().wants(wanted);
      if (pod.life() == PodState.Life.SYNCING) {
        add(pod);
        retry(pod.node(), UPDATED);
      }
    } else if (resizing != null && resizing.desired() != null) {
      resizing.reverted();
      pod.changed();
      pod.settleResize();
      remove(pod);
    }
  }

  /** Queues an admitted pod that asks for other resources. */
  public void entered(PodState pod) {
    if (pod.resizing() != null && pod.resizing().desired() != null) {
      add(pod);
      retry(pod.node(), ADDED);
    }
  }

  /** Retries the pods of a node that may have free resources now. */
  public void freed(String node) {
    if (waiting.containsKey(node)) {
      loop.later(() -> retry(node, FREED));
    }
  }

  private void add(PodState pod) {
    waiting.computeIfAbsent(pod.node(), node -> new LinkedHashSet<>()).add(pod);
    arm(SETTLED);
  }

  private void remove(PodState pod) {
    Set<PodState> pods = waiting.get(pod.node());
    if (pods != null && pods.remove(pod) && pods.isEmpty()) {
      waiting.remove(pod.node());
    }
  }

  private void arm(long delay) {
    if (timer < 0 && !closed) {
      timer = loop.setTimer(delay, this::periodically);
    }
  }

  private void periodically() {
    timer = -1;
    List.copyOf(waiting.keySet()).forEach(node -> retry(node, PERIODIC));
    if (!waiting.isEmpty()) {
      arm(RETRY);
    }
  }

  private void retry(String node, String trigger) {
    Set<PodState> pods = waiting.get(node);
    if (pods == null || closed) {
      return;
    }
    List<PodState> order = new ArrayList<>(pods);
    order.sort(ORDER);
    for (PodState pod : order) {
      Resizing resizing = pod.resizing();
      PodView desired = resizing == null ? null : resizing.desired();
      boolean over = pod.forgotten() || pod.life() != PodState.Life.SYNCING;
      if (resizing == null || desired == null || over) {
        remove(pod);
      } else {
        consider(pod, resizing, desired, trigger);
      }
    }
  }

  /** Order of grants: pods that ask for no more come first, as they harm no other pod. */
  private static final Comparator<PodState> ORDER =
      Comparator.comparing(ResizeQueue::increasing)
          .thenComparing(pod -> pod.view().spec().priority(), Comparator.reverseOrder())
          .thenComparing(pod -> pod.view().spec().placement().qos(), Comparator.reverseOrder())
          .thenComparing(ResizeQueue::since, Comparator.nullsLast(Comparator.naturalOrder()));

  private static @Nullable Instant since(PodState pod) {
    ConditionView pending = pod.resizing() == null ? null : pod.resizing().pending();
    return pending == null ? null : pending.lastTransitionTime();
  }

  private static boolean increasing(PodState pod) {
    PodView desired = pod.resizing() == null ? null : pod.resizing().desired();
    if (desired == null) {
      return false;
    }
    PodRequests has = pod.view().spec().placement().requests();
    PodRequests wants = desired.spec().placement().requests();
    return wants.milliCpu() > has.milliCpu() || wants.memory() > has.memory();
  }

  private void consider(PodState pod, Resizing resizing, PodView desired, String trigger) {
    if (!runtime.resizesContainers() && ResizePlan.needsUpdates(pod, desired)) {
      refuse(pod, resizing, desired, Resizing.INFEASIBLE, UNSUPPORTED, "runtime_unsupported");
      return;
    }
    boolean early = clock.millis() < resizing.notBefore() && increasing(pod);
    if (early || !room.knows(pod.node())) {
      return;
    }
    Rejection rejection = room.grants(pod, desired);
    if (rejection == null) {
      grant(pod, resizing, desired, trigger);
    } else {
      boolean never = rejection.reason().equals(Resizing.INFEASIBLE);
      String reason = never ? Resizing.INFEASIBLE : Resizing.DEFERRED;
      refuse(pod, resizing, desired, reason, rejection.message(), "node_capacity");
    }
  }

  private void refuse(
      PodState pod,
      Resizing resizing,
      PodView desired,
      String reason,
      String message,
      String detail) {
    ConditionView before = resizing.pending();
    boolean news = resizing.refused(reason, message, desired.generation(), clock.instant());
    boolean never = reason.equals(Resizing.INFEASIBLE);
    if (news && never) {
      meters.resizeInfeasible(detail);
    }
    if (news && events.enabled()) {
      events.warning(
          pod,
          never ? PodEvents.RESIZE_INFEASIBLE : PodEvents.RESIZE_DEFERRED,
          ResizeSummary.of("Pod resize " + reason, desired, desired.generation(), message));
    }
    ConditionView now = resizing.pending();
    if (now != null && !now.equals(before)) {
      pod.changed();
      drive.accept(pod);
    }
  }

  private void grant(PodState pod, Resizing resizing, PodView desired, String trigger) {
    ConditionView pending = resizing.pending();
    if (pending != null && Resizing.DEFERRED.equals(pending.reason())) {
      meters.deferredResizeAccepted(trigger);
    }
    keep(pod.init(), resizing, desired);
    keep(pod.regular(), resizing, desired);
    pod.redefine(desired);
    resizing.granted(desired.generation(), clock.instant());
    remove(pod);
    if (events.enabled()) {
      events.normal(
          pod,
          PodEvents.RESIZE_STARTED,
          ResizeSummary.of("Pod resize started", desired, desired.generation(), ""));
    }
    drive.accept(pod);
  }

  /** Notes that running and starting containers keep their resources until an update. */
  private static void keep(ContainerSlot[] slots, Resizing resizing, PodView desired) {
    for (ContainerSlot slot : slots) {
      ContainerView wanted = desired.spec().container(slot.name());
      boolean same = wanted == null || wanted.resources().sameAmounts(slot.view().resources());
      if (!same && slot.mayRun()) {
        resizing.keeps(slot.name(), slot.view().resources());
      }
    }
  }

  public void close() {
    closed = true;
    if (timer >= 0) {
      loop.cancelTimer(timer);
    }
  }
}
