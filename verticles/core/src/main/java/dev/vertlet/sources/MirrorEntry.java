package dev.vertlet.sources;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.Recovery;
import dev.vertlet.manifest.StaticPod;
import dev.vertlet.model.ObjectMeta;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides about the mirror pod of one name, from the mirror that the API server holds and the
 * wanted one. Pure except for its own fields.
 *
 * <p>A mirror belongs to the static pod whose UID it carries. A mirror without a static pod, of
 * another version or an earlier life of it, or with a deletion timestamp, is deleted and created
 * again; the static pod itself is never affected.
 */
final class MirrorEntry {
  /** Next step of the keeper. */
  sealed interface Step {
    /**
     * Create the mirror.
     *
     * @param of UID of the static pod
     */
    record Create(String of, Buffer body) implements Step {}

    /** Delete the mirror immediately, with this UID only. */
    record Delete(PodRef mirror) implements Step {}

    /** Do nothing before {@code delay} has passed. */
    record Wait(Duration delay) implements Step {}

    /** Do nothing before an event. */
    record Idle() implements Step {}
  }

  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 2, 0.2);

  /**
   * After a rejection by the API server, which may be permanent: a kubelet retries with each sync,
   * once a minute or less often.
   */
  private static final Backoff REFUSED =
      new Backoff(Duration.ofMillis(100), Duration.ofMinutes(1), 2, 0.2);

  /**
   * Minimum time between two creations, in case a client deletes every mirror. Half of the 2 s
   * within which a mirror must be back.
   */
  private static final Duration REST = Duration.ofSeconds(1);

  private static final Step IDLE = new Step.Idle();

  private final String node;
  private final String namespace;
  private final String name;

  private @Nullable StaticPod pod;
  private boolean ending;
  private @Nullable Seen seen;

  /**
   * UIDs of mirrors deleted during the request in flight, whose answer may be about one of them.
   */
  private final Set<String> goneMeanwhile = new HashSet<>();

  /** UID of the mirror that was deleted here: later watch events about it are outdated. */
  private String removedUid = "";

  private boolean busy;
  private boolean created;
  private long createdAt;
  private int failures;
  private boolean refused;

  /** Whether the delay of the last failure ends when the server works again. */
  private boolean endsWithReturn;

  private long due;

  /**
   * The mirror that the API server holds.
   *
   * @param of UID of its static pod, empty if that life is over
   * @param over whether the pod was ended or rejected as a whole
   */
  private record Seen(String uid, String of, boolean deleting, boolean over, long version) {
    Seen ofNobody() {
      return new Seen(uid, "", deleting, over, version);
    }
  }

  MirrorEntry(String node, String namespace, String name) {
    this.node = node;
    this.namespace = namespace;
    this.name = name;
  }

  String node() {
    return node;
  }

  String namespace() {
    return namespace;
  }

  String display() {
    return namespace + "/" + name;
  }

  /** Takes the static pod of this name, new or changed. */
  void wanted(StaticPod newest) {
    if (pod == null) {
      anew();
    }
    pod = newest;
    ending = false;
  }

  /** This agent begins to serve the node. */
  void begin() {
    if (pod != null) {
      anew();
    }
  }

  /**
   * Replaces the mirror of a pod that was ended or rejected as a whole and now starts over: its
   * status is final.
   */
  private void anew() {
    Seen before = seen;
    if (before != null && before.over) {
      seen = before.ofNobody();
    }
  }

  /** The static pod is being ended: its mirror stays until then, and is not created again. */
  void ending() {
    ending = true;
  }

  /** The static pod has ended: its mirror must not show the next pod of the same name and UID. */
  void unwanted() {
    pod = null;
    ending = false;
    Seen before = seen;
    if (before != null) {
      seen = before.ofNobody();
    }
  }

  /** Takes a mirror from the watch. */
  void observed(PodView mirror) {
    Seen before = seen;
    String of = Objects.requireNonNull(mirror.mirrorOf(), "a pod that is no mirror").uid();
    if (mirror.uid().equals(removedUid)) {
      return;
    }
    if (before != null && before.uid.equals(mirror.uid())) {
      if (before.version > mirror.resourceVersion()) {
        return;
      }
      of = before.of.isEmpty() ? "" : of;
    }
    seen =
        new Seen(
            mirror.uid(),
            of,
            mirror.deleting(),
            mirror.status().endedAsAWhole(),
            mirror.resourceVersion());
  }

  /** The API server no longer holds this object. */
  void gone(String uid) {
    if (busy) {
      goneMeanwhile.add(uid);
    }
    Seen before = seen;
    if (before != null && before.uid.equals(uid)) {
      seen = null;
    }
  }

  /** Whether there is neither a static pod nor a mirror of this name. */
  boolean empty() {
    return pod == null && seen == null && !busy;
  }

  /**
   * Returns the next step.
   *
   * @param orphansMayGo whether all static pods are known: a mirror without one is then an orphan
   * @param nodeUid UID of the Node object, empty while unknown
   * @param now monotonic nanoseconds
   */
  Step next(boolean orphansMayGo, String nodeUid, long now) {
    if (busy) {
      return IDLE;
    }
    Step step = decide(orphansMayGo, nodeUid);
    if (step == IDLE) {
      return step;
    }
    long wait = failures > 0 ? due - now : 0;
    if (step instanceof Step.Create && created) {
      wait = Math.max(wait, createdAt + REST.toNanos() - now);
    }
    if (wait > 0) {
      return new Step.Wait(Duration.ofNanos(wait));
    }
    if (step instanceof Step.Create) {
      created = true;
      createdAt = now;
    }
    busy = true;
    return step;
  }

  private Step decide(boolean orphansMayGo, String nodeUid) {
    StaticPod of = pod;
    Seen there = seen;
    if (there == null) {
      return of == null || ending || nodeUid.isEmpty()
          ? IDLE
          : new Step.Create(of.view().uid(), of.mirror(nodeUid));
    }
    boolean keep = of == null ? !orphansMayGo && !there.of.isEmpty() : ending || shows(there, of);
    return keep ? IDLE : new Step.Delete(new PodRef(namespace, name, there.uid));
  }

  private static boolean shows(Seen mirror, StaticPod pod) {
    return mirror.of.equals(pod.view().uid()) && !mirror.deleting;
  }

  /**
   * The mirror was created.
   *
   * @return whether it still exists, as far as the watch has reported
   */
  boolean created(String of, ObjectMeta made) {
    boolean there = !goneMeanwhile.contains(made.uid());
    settle();
    Seen newer = seen;
    if (there && (newer == null || !newer.uid.equals(made.uid()))) {
      seen = new Seen(made.uid(), of, false, false, made.resourceVersion());
    }
    return there;
  }

  /** The mirror was deleted, by this agent or before. */
  void removed(PodRef mirror) {
    settle();
    removedUid = mirror.uid();
    gone(mirror.uid());
  }

  private void settle() {
    busy = false;
    goneMeanwhile.clear();
    failures = 0;
    refused = false;
  }

  /**
   * The request in flight failed.
   *
   * @return whether the API server rejects this pod from now on, and did not before
   */
  boolean failed(KubeException failure, long now, RandomGenerator random) {
    busy = false;
    goneMeanwhile.clear();
    failures++;
    endsWithReturn = failure.endsWithReturn();
    boolean before = refused;
    refused |= failure.recovery() == Recovery.GIVE_UP || failure.recovery() == Recovery.REREAD;
    boolean may = failure.kind() != KubeException.Kind.FORBIDDEN && !refused;
    due = now + (may ? BACKOFF : REFUSED).delay(failures, random, failure).toNanos();
    return refused && !before;
  }

  /** Ends the delay of a failure that was the server's fault: the server works again. */
  void serverReturned() {
    if (endsWithReturn) {
      failures = 0;
    }
  }
}
