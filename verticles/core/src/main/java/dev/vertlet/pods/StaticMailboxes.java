package dev.vertlet.pods;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * State of static pods, which the API server does not hold: their last status is in their mirror
 * pods, and their sources wait for their end. Pure except for its own fields.
 *
 * <p>The status of a pod that was ended or rejected as a whole is not restored: a kubelet would
 * have kept its containers running, so the pod starts anew with the agent.
 */
final class StaticMailboxes {
  /** Owner of a mirror pod whose static pod is over. */
  private static final PodRef NOBODY = new PodRef("", "", "");

  private final Consumer<PodRef> ended;

  private final Set<PodRef> statics = new HashSet<>();

  /**
   * The mirror pod of each static pod. A mirror pod names the UID and the name of its static pod; a
   * copy of a mirror has another name.
   */
  private final Map<PodRef, PodView> mirrors = new HashMap<>();

  /** The static pod of each mirror pod, by the UID of the mirror. */
  private final Map<String, PodRef> owners = new HashMap<>();

  /**
   * Creates an empty state.
   *
   * @param ended called for each static pod that was to end and has ended, perhaps repeatedly
   */
  StaticMailboxes(Consumer<PodRef> ended) {
    this.ended = ended;
  }

  /** Takes a pod from a manifest. */
  void observed(PodRef pod) {
    statics.add(pod);
  }

  void mirrored(PodView mirror) {
    PodRef of = mirror.mirrorOf();
    if (of != null && owners.computeIfAbsent(mirror.uid(), unknown -> of).equals(of)) {
      mirrors.put(of, mirror);
    }
  }

  /** A pod or a mirror pod is gone. */
  void gone(PodRef pod) {
    if (statics.remove(pod)) {
      disown(pod);
    }
    PodRef of = owners.remove(pod.uid());
    if (of != null) {
      mirrors.computeIfPresent(
          of, (shown, mirror) -> mirror.uid().equals(pod.uid()) ? null : mirror);
    }
  }

  /**
   * Ignores later events of the pod's mirror: its status does not belong to the next pod of this
   * UID.
   */
  private void disown(PodRef pod) {
    PodView mirror = mirrors.remove(pod);
    if (mirror != null) {
      owners.put(mirror.uid(), NOBODY);
    }
  }

  /**
   * Returns the pod with the status of its mirror, so that the pod survives a restart of the agent.
   */
  PodView remembered(PodView pod) {
    PodStatusView shown = memory(pod.ref());
    return shown == null ? pod : pod.withStatus(shown);
  }

  /** Restores the statuses of pods that were observed before their mirrors. */
  void remind(Collection<PodMailbox> mailboxes) {
    for (PodMailbox mailbox : mailboxes) {
      PodRef pod = mailbox.ref();
      PodStatusView shown = statics.contains(pod) ? memory(pod) : null;
      if (shown != null) {
        mailbox.remembered(shown);
      }
    }
  }

  /** Status of the pod's mirror; null if it has none. */
  private @Nullable PodStatusView memory(PodRef pod) {
    PodView mirror = mirrors.get(pod);
    if (mirror == null) {
      return null;
    }
    if (mirror.status().endedAsAWhole()) {
      disown(pod);
      return PodStatusView.EMPTY;
    }
    return mirror.status();
  }

  /** UID of the pod's mirror, empty if it has none. */
  String mirrorUid(PodRef pod) {
    PodView mirror = statics.contains(pod) ? mirrors.get(pod) : null;
    return mirror == null ? "" : mirror.uid();
  }

  /** Reports the end of a static pod, if it has ended. */
  void tellIfEnded(PodMailbox mailbox) {
    if (mailbox.ended() && statics.contains(mailbox.ref())) {
      ended.accept(mailbox.ref());
    }
  }
}
