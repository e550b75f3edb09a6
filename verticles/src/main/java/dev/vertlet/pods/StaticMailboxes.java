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
  private static final String NOBODY = "";

  private final Consumer<PodRef> ended;

  /** UIDs. */
  private final Set<String> statics = new HashSet<>();

  /** The mirror of each static pod, by the UID of that pod. */
  private final Map<String, PodView> mirrors = new HashMap<>();

  /** UID of the static pod that a mirror remembers, by the UID of the mirror. */
  private final Map<String, String> owners = new HashMap<>();

  /**
   * @param ended told of each static pod whose end was wanted and has come, perhaps again
   */
  StaticMailboxes(Consumer<PodRef> ended) {
    this.ended = ended;
  }

  /** A pod that comes from a manifest. */
  void observed(PodRef pod) {
    statics.add(pod.uid());
  }

  void mirrored(PodView mirror) {
    String of = mirror.mirrorOf();
    if (of != null && owners.computeIfAbsent(mirror.uid(), unknown -> of).equals(of)) {
      mirrors.put(of, mirror);
    }
  }

  /** A pod or a mirror is gone. */
  void gone(PodRef pod) {
    if (statics.remove(pod.uid())) {
      disown(pod.uid());
    }
    String of = owners.remove(pod.uid());
    if (of != null) {
      mirrors.computeIfPresent(of, (uid, mirror) -> mirror.uid().equals(pod.uid()) ? null : mirror);
    }
  }

  /** What the watch has yet to say of its mirror is no memory of the next pod of this UID. */
  private void disown(String uid) {
    PodView mirror = mirrors.remove(uid);
    if (mirror != null) {
      owners.put(mirror.uid(), NOBODY);
    }
  }

  /**
   * The pod with the status that its mirror shows, so that a restart of the agent is none of it.
   */
  PodView remembered(PodView pod) {
    PodStatusView shown = memory(pod.uid());
    return shown == null ? pod : pod.withStatus(shown);
  }

  /** The same for pods that came before their mirrors did. */
  void remind(Collection<PodMailbox> mailboxes) {
    for (PodMailbox mailbox : mailboxes) {
      String uid = mailbox.ref().uid();
      PodStatusView shown = statics.contains(uid) ? memory(uid) : null;
      if (shown != null) {
        mailbox.remembered(shown);
      }
    }
  }

  /** Null where nothing is known of it. */
  private @Nullable PodStatusView memory(String uid) {
    PodView mirror = mirrors.get(uid);
    if (mirror == null) {
      return null;
    }
    if (mirror.status().endedAsAWhole()) {
      disown(uid);
      return PodStatusView.EMPTY;
    }
    return mirror.status();
  }

  /** Something was learned about a pod: whoever waits for its end is told. */
  void settled(PodMailbox mailbox) {
    if (mailbox.ended() && statics.contains(mailbox.ref().uid())) {
      ended.accept(mailbox.ref());
    }
  }
}
