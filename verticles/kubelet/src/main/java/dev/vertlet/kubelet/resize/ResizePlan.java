package dev.vertlet.kubelet.resize;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.StopCause;
import dev.vertlet.kubelet.pod.PodAction;
import dev.vertlet.kubelet.pod.PodDecision.Draft;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.Resizing;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResizePolicyView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.resource.Quantities;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plans how the containers of a pod get the resources that they were granted. Containers whose
 * resize policy requires it restart. For the others, memory changes before CPU, and within each,
 * decreases come before increases, one call at a time. A container that does not run starts with
 * what it was granted.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/kuberuntime_manager.go">
 *     computePodResizeAction, kubelet 1.36.3</a>
 */
public final class ResizePlan {
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";

  private final PodState pod;
  private final Resizing resizing;
  private final Draft draft;
  private boolean busy;
  private PodAction.@Nullable UpdateResources less;
  private PodAction.@Nullable UpdateResources more;

  private ResizePlan(PodState pod, Resizing resizing, Draft draft) {
    this.pod = pod;
    this.resizing = resizing;
    this.draft = draft;
  }

  public static void plan(PodState pod, Resizing resizing, Draft draft) {
    if (resizing.inProgress() != null) {
      new ResizePlan(pod, resizing, draft).plan();
    }
  }

  private void plan() {
    restarts(pod.init());
    restarts(pod.regular());
    updates(MEMORY);
    if (less == null && more == null) {
      updates(CPU);
    }
    PodAction.UpdateResources next = less == null ? more : less;
    Resizing.Update update = resizing.update();
    if (update != null && update.counts()) {
      await(update);
    } else if (next == null) {
      if (!busy) {
        draft.add(new PodAction.CompleteResize());
      }
    } else if (draft.now < resizing.retryAt()) {
      draft.wake(resizing.retryAt());
    } else {
      draft.add(next);
    }
  }

  private void await(Resizing.Update update) {
    if (draft.now < update.lateAt()) {
      draft.wake(update.lateAt());
    } else {
      draft.add(new PodAction.GiveUpUpdate());
    }
  }

  private void restarts(ContainerSlot[] slots) {
    for (ContainerSlot slot : slots) {
      if (slot.stop().rerun() && resizing.actual(slot.name()) != null) {
        busy = true; // has ended, and starts with what it was granted
      } else if (differs(slot)) {
        busy = true;
        if (restart(slot)) {
          end(slot);
        }
      }
    }
  }

  /** Whether the container runs with other resources than it was granted. */
  private boolean differs(ContainerSlot slot) {
    ResourcesView has = resizing.actual(slot.name());
    return has != null && slot.running() && differ(has, slot.view().resources());
  }

  private static boolean differ(ResourcesView has, ResourcesView wanted) {
    return direction(CPU, has, wanted) != 0 || direction(MEMORY, has, wanted) != 0;
  }

  /** Whether the runtime has to update the pod's containers while they run. */
  static boolean needsUpdates(PodState pod, PodView desired) {
    return needsUpdates(pod.init(), desired) || needsUpdates(pod.regular(), desired);
  }

  private static boolean needsUpdates(ContainerSlot[] slots, PodView desired) {
    for (ContainerSlot slot : slots) {
      ContainerView wanted = desired.spec().container(slot.name());
      if (wanted != null
          && slot.running()
          && !wanted.resources().sameAmounts(slot.view().resources())
          && !restarts(wanted.resizePolicy(), slot.view().resources(), wanted.resources())) {
        return true;
      }
    }
    return false;
  }

  private boolean restart(ContainerSlot slot) {
    ResourcesView has = resizing.actual(slot.name());
    return has != null && restarts(slot.view().resizePolicy(), has, slot.view().resources());
  }

  private static boolean restarts(
      ResizePolicyView policy, ResourcesView has, ResourcesView wanted) {
    return (policy.cpuRestarts() && direction(CPU, has, wanted) != 0)
        || (policy.memoryRestarts() && direction(MEMORY, has, wanted) != 0);
  }

  private void end(ContainerSlot slot) {
    long at = slot.stopAgainAt();
    if (draft.now < at) {
      draft.wake(at);
    } else {
      draft.add(new PodAction.StopContainer(slot, pod.swapGrace(), StopCause.RESIZED));
    }
  }

  private void updates(String resource) {
    update(pod.init(), resource);
    update(pod.regular(), resource);
  }

  private void update(ContainerSlot[] slots, String resource) {
    for (ContainerSlot slot : slots) {
      ResourcesView has = resizing.actual(slot.name());
      if (has == null || !differs(slot) || restart(slot)) {
        continue;
      }
      int direction = direction(resource, has, slot.view().resources());
      if (direction != 0) {
        ResourcesView next = with(resource, has, slot.view().resources());
        PodAction.UpdateResources action = new PodAction.UpdateResources(slot, next);
        less = less == null && direction < 0 ? action : less;
        more = more == null && direction > 0 ? action : more;
      }
    }
  }

  /**
   * Below 0 for a decrease of the resource, above for an increase, 0 for neither. The limit counts
   * before the request, as the runtime enforces the limit; no limit is the highest.
   */
  private static int direction(String resource, ResourcesView has, ResourcesView wanted) {
    int limit =
        Long.compare(
            amount(resource, wanted.limits(), Long.MAX_VALUE),
            amount(resource, has.limits(), Long.MAX_VALUE));
    return limit != 0
        ? limit
        : Long.compare(amount(resource, wanted.requests(), 0), amount(resource, has.requests(), 0));
  }

  private static long amount(String resource, Map<String, String> amounts, long otherwise) {
    String text = amounts.get(resource);
    if (text == null) {
      return otherwise;
    }
    return resource.equals(CPU) ? Quantities.milli(text) : Quantities.units(text);
  }

  /** Returns current resources with one wanted resource; all wanted ones if only that differs. */
  private static ResourcesView with(String resource, ResourcesView has, ResourcesView wanted) {
    String other = resource.equals(CPU) ? MEMORY : CPU;
    if (direction(other, has, wanted) == 0) {
      return wanted;
    }
    return new ResourcesView(
        with(resource, has.requests(), wanted.requests()),
        with(resource, has.limits(), wanted.limits()));
  }

  private static Map<String, String> with(
      String resource, Map<String, String> has, Map<String, String> wanted) {
    Map<String, String> made = new HashMap<>(has);
    String amount = wanted.get(resource);
    if (amount == null) {
      made.remove(resource);
    } else {
      made.put(resource, amount);
    }
    return made;
  }
}
