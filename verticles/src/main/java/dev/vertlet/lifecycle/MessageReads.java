package dev.vertlet.lifecycle;

import dev.vertlet.lifecycle.PodDecision.Draft;
import dev.vertlet.model.ContainerStateView.Terminated;
import java.util.HashSet;
import java.util.Set;

/**
 * Logs of one pod that are being read for the termination messages of instances that failed and
 * left none. Nothing is shown of the pod, and its sandbox stays, until they are read: so the end
 * and its message are seen together.
 */
final class MessageReads {
  /** A log that takes longer gives no message, milliseconds. */
  private static final long LIMIT = 10_000;

  /** Of an instance that has no log, as it never ran. */
  private static final String CANNOT_RUN = "ContainerCannotRun";

  private final Set<String> instances = new HashSet<>(2);
  private long until;

  private MessageReads() {}

  /** Says whether there is something to do now. */
  static boolean plan(PodState pod, Draft draft) {
    if (pod.life == PodState.Life.RESTORING || pod.life == PodState.Life.FINISHED) {
      return false;
    }
    plan(pod.init, draft);
    plan(pod.regular, draft);
    plan(pod.ephemeral, draft);
    MessageReads reads = pod.messageReads;
    if (reads != null && draft.now >= reads.until) {
      draft.add(new PodAction.GiveUpMessages());
    } else if (reads != null) {
      draft.wake(reads.until);
    }
    return !draft.idle();
  }

  private static void plan(ContainerSlot[] slots, Draft draft) {
    for (ContainerSlot slot : slots) {
      if (isDue(slot)) {
        draft.add(new PodAction.ReadMessage(slot));
      }
    }
  }

  /** Whether a log is to be read before an end can be shown. */
  static boolean isDue(PodState pod) {
    return pod.readsLogs && pod.containers().anyMatch(MessageReads::isDue);
  }

  private static boolean isDue(ContainerSlot slot) {
    return slot.view.exit().fallsBackToLogs() && !slot.messageRead && failedInSilence(slot);
  }

  private static boolean failedInSilence(ContainerSlot slot) {
    Terminated end = slot.end();
    return end != null
        && end.exitCode() != 0
        && (end.message() == null || end.message().isEmpty())
        && !CANNOT_RUN.equals(end.reason());
  }

  static void begin(PodState pod, String instance, long now) {
    MessageReads reads = pod.messageReads;
    if (reads == null) {
      reads = new MessageReads();
      pod.messageReads = reads;
    }
    reads.instances.add(instance);
    reads.until = now + LIMIT;
  }

  /** The log was read; says whether it was waited for. */
  static boolean done(PodState pod, String instance) {
    MessageReads reads = pod.messageReads;
    boolean awaited = reads != null && reads.instances.remove(instance);
    if (reads != null && reads.instances.isEmpty()) {
      pod.messageReads = null;
    }
    return awaited;
  }

  long until() {
    return until;
  }
}
