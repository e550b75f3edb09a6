package dev.vertlet.kubelet.probe;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.ProbeState;
import dev.vertlet.kubelet.container.SlotProbes;
import dev.vertlet.kubelet.container.StopCause;
import dev.vertlet.kubelet.pod.PodAction;
import dev.vertlet.kubelet.pod.PodDecision.Draft;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.provider.probe.ProbeKind;
import org.jspecify.annotations.Nullable;

/**
 * Plans which probes of a pod are due, and which containers have to end for a failed one. While the
 * pod ends, only readiness is probed: endpoints still depend on it, and no container starts again.
 */
public final class ProbePlan {
  private ProbePlan() {}

  public static void plan(PodState pod, Draft draft) {
    plan(pod, pod.regular(), draft);
    plan(pod, pod.init(), draft);
  }

  private static void plan(PodState pod, ContainerSlot[] slots, Draft draft) {
    for (ContainerSlot slot : slots) {
      SlotProbes probes = slot.probes();
      if (probes != null
          && !slot.starting()
          && slot.current() != null
          && slot.current().state() instanceof Running now) {
        long startedAt = now.startedAt() == null ? 0 : now.startedAt().toEpochMilli();
        for (ProbeState probe : probes.all()) {
          plan(pod, slot, probe, startedAt, draft);
        }
        if (!pod.ending()) {
          end(pod, slot, probes.fatal(), draft);
        }
      }
    }
  }

  private static void plan(
      PodState pod, ContainerSlot slot, ProbeState probe, long startedAt, Draft draft) {
    boolean startup = probe.kind == ProbeKind.STARTUP;
    boolean asked = probe.kind == ProbeKind.READINESS || !pod.ending();
    if (!asked || probe.onHold() || startup == slot.started()) {
      return;
    }
    if (probe.inFlight()) {
      if (draft.now >= probe.lateAt()) {
        draft.add(new PodAction.GiveUpProbe(slot, probe));
      } else {
        draft.wake(probe.lateAt());
      }
      return;
    }
    long dueAt = probe.dueAt(startedAt);
    if (draft.now >= dueAt) {
      draft.add(new PodAction.Probe(slot, probe));
    } else {
      draft.wake(dueAt);
    }
  }

  private static void end(
      PodState pod, ContainerSlot slot, @Nullable ProbeState fatal, Draft draft) {
    if (fatal == null || slot.definitionChanged()) {
      return;
    }
    long at = slot.stopAgainAt();
    if (draft.now < at) {
      draft.wake(at);
      return;
    }
    Long own = fatal.spec.terminationGracePeriodSeconds();
    long seconds = own == null ? pod.view().spec().terminationGracePeriodSeconds() : own;
    draft.add(new PodAction.StopContainer(slot, seconds * 1000, StopCause.of(fatal.kind)));
  }
}
