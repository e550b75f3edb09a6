package dev.vertlet.pods;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is different about pods that the API server does not hold: what it remembers of them stands
 * in their mirrors, and somebody waits for their end. Pure but for its own fields.
 *
 * <p>A pod that was ended or refused as a whole is not what a kubelet remembers: its containers
 * would have run on, so it begins a new life with the agent's.
 */
final class StaticMailboxes {
  /** Owner of a mirror that shows a life which is over. */
  private static final PodRef NOBODY = new PodRef("", "", "");

  private final Consumer<PodRef> ended;

  private final Set<PodRef> statics = new HashSet<>();

  /**
   * The mirror of each static pod: it carries that one's UID and has its name, which a copy of it
   * has not.
   */
  private final Map<PodRef, PodView> mirrors = new HashMap<>();

  /** The static pod that a mirror remembers, by the UID of the mirror. */
  private final Map<String, PodRef> owners = new HashMap<>();

  /**
   * @param ended told of each static pod whose end was wanted and has come, perhaps again
   */
  StaticMailboxes(Consumer<PodRef> ended) {
    this.ended = ended;
  }

  /** A pod that comes from a manifest. */
  void observed(PodRef pod) {
    statics.add(pod);
  }

  void mirrored(PodView mirror) {
    PodRef of = mirror.mirrorOf();
    if (of != null && owners.computeIfAbsent(mirror.uid(), unknown -> of).equals(of)) {
      mirrors.put(of, mirror);
    }
  }

  /** A pod or a mirror is gone. */
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

  /** What the watch has yet to say of its mirror is no memory of the next pod of this UID. */
  private void disown(PodRef pod) {
    PodView mirror = mirrors.remove(pod);
    if (mirror != null) {
      owners.put(mirror.uid(), NOBODY);
    }
  }

  /**
   * The pod with the status that its mirror shows, so that a restart of the agent is none of it.
   */
  PodView remembered(PodView pod) {
    PodStatusView shown = memory(pod.ref());
    return shown == null ? pod : pod.withStatus(shown);
  }

  /** The same for pods that came before their mirrors did. */
  void remind(Collection<PodMailbox> mailboxes) {
    for (PodMailbox mailbox : mailboxes) {
      PodRef pod = mailbox.ref();
      PodStatusView shown = statics.contains(pod) ? memory(pod) : null;
      if (shown != null) {
        mailbox.remembered(shown);
      }
    }
  }

  /** Null where nothing is known of it. */
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

  /** UID of the object that shows a static pod, empty where there is none. */
  String mirrorUid(PodRef pod) {
    PodView mirror = statics.contains(pod) ? mirrors.get(pod) : null;
    return mirror == null ? "" : mirror.uid();
  }

  /** Something was learned about a pod: whoever waits for its end is told. */
  void settled(PodMailbox mailbox) {
    if (mailbox.ended() && statics.contains(mailbox.ref())) {
      ended.accept(mailbox.ref());
    }
  }
}
